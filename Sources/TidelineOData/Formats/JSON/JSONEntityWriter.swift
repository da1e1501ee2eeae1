// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Turns pushed rows into the bytes of an OData JSON answer.
///
///     begin(.collection)  rows…  end(nextLink:)        begin(.entity)  one row  end()
///
/// Nothing is built for a value but its bytes: no strings, no tree. The store pushes the columns of the shape in its
/// order; the ETag, known at the end of a row, fills a hole of fixed length at its start.
/// Source: OData JSON Format 4.01, sections 4.5, 6, 7, 12 and 15.
public final class JSONEntityWriter: DeltaSink {
    /// The frame around the rows.
    public enum Envelope: Hashable, Sendable {
        /// `{"@context":…,"value":[…]}`.
        case collection
        /// The same for a delta, its context ending in `/$delta`.
        case delta
        /// One entity as the whole answer.
        case entity
        /// Rows alone, with commas between: for frames that the caller writes.
        case none
    }

    /// Where the bytes go.
    public let output: ByteWriter
    /// Called between rows of the outermost level once ``ByteWriter/count`` reaches ``drainThreshold``: a spool drains
    /// there.
    public var onFull: ((ByteWriter) -> Void)?
    /// In bytes.
    public var drainThreshold = 1 << 16
    /// How many rows were written, expansions and removed entities not counted.
    public private(set) var rows = 0

    private struct Frame {
        let shape: CompiledShape
        var column = 0
        /// Where the hole of the ETag begins, or -1.
        var hole = -1
        /// How many rows stand in the array or place of this frame.
        var rows = 0
    }

    private let shape: RowShape
    private let format: JSONFormat
    private let entityType: EntityType?
    private var frame: Frame
    private var outer: [Frame] = []
    private var envelope = Envelope.none
    private var items = 0

    /// - Parameters:
    ///   - type: the entity type of the rows, where removed entities are written.
    ///   - output: where the bytes go; a batch gives its own.
    public init(shape: RowShape, format: JSONFormat, type: EntityType? = nil, output: ByteWriter = ByteWriter()) {
        self.shape = shape
        self.format = format
        self.output = output
        entityType = type
        frame = Frame(shape: CompiledShape(shape, format: format))
    }

    /// Begins the answer.
    ///
    /// - Parameters:
    ///   - contextRoot: the absolute or relative URL of `$metadata`, to which the fragment is added.
    ///   - count: the number of all entities that match, where `$count=true` asked for it.
    public func begin(_ envelope: Envelope, contextRoot: String, count: Int? = nil) {
        self.envelope = envelope
        guard envelope != .none else { return }
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        if format.metadata != .none {
            control("context", isFirst: true)
            output.appendQuoted(contextRoot + "#" + fragment(envelope))
            isFirst = false
        }
        if let count {
            control("count", isFirst: isFirst)
            output.append(integer: Int64(count))
            isFirst = false
        }
        if envelope == .entity {
            pendingComma = !isFirst
        } else {
            output.append(isFirst ? "\"value\":[" : ",\"value\":[")
        }
    }

    /// Ends the answer.
    public func end(nextLink: String? = nil, deltaLink: String? = nil) {
        switch envelope {
        case .none: return
        case .entity:
            output.append(UInt8(ascii: "}"))
        case .collection, .delta:
            output.append(UInt8(ascii: "]"))
            if let nextLink {
                control("nextLink", isFirst: false)
                output.appendQuoted(nextLink)
            }
            if let deltaLink {
                control("deltaLink", isFirst: false)
                output.appendQuoted(deltaLink)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Whether the first member of a single entity follows control information of the answer.
    private var pendingComma = false

    private func control(_ name: String, isFirst: Bool) {
        output.append(text: "\(isFirst ? "" : ",")\"@\(format.version.controlPrefix)\(name)\":")
    }

    private func fragment(_ envelope: Envelope) -> String {
        let list = shape.selectList.map { "(\($0))" } ?? ""
        let suffix =
            switch envelope {
            case .delta: "/$delta"
            case .entity: "/$entity"
            case .collection, .none: ""
            }
        return shape.set + list + suffix
    }

    // MARK: Rows

    public func beginRow() {
        if outer.isEmpty {
            if envelope == .entity {
                if pendingComma { output.append(UInt8(ascii: ",")) }
            } else {
                output.append(items == 0 ? "{" : ",{")
            }
            items += 1
            rows += 1
        } else {
            output.append(frame.rows == 0 ? "{" : ",{")
        }
        frame.rows += 1
        frame.column = 0
        frame.hole = -1
        if !frame.shape.etagLead.isEmpty {
            output.append(frame.shape.etagLead)
            frame.hole = output.count
            unsafe output.room(22).initialize(repeating: UInt8(ascii: "A"), count: 22)
            output.advance(22)
            output.append(frame.shape.etagTail)
        }
    }

    public func endRow(etag: ETag?) {
        if frame.hole >= 0, let etag {
            unsafe output.replace(at: frame.hole) { unsafe etag.write(to: $0) }
        }
        if outer.isEmpty {
            if envelope != .entity { output.append(UInt8(ascii: "}")) }
            if let onFull, output.count >= drainThreshold { onFull(output) }
        } else {
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Writes the lead of the next column and says how its value is written.
    @inline(__always)
    private func lead() -> CompiledShape.Form {
        let column = frame.column
        frame.column = column + 1
        output.append(frame.shape.columns[column].lead)
        return frame.shape.columns[column].form
    }

    public func null() {
        _ = lead()
        output.append("null")
    }

    public func boolean(_ value: Bool) {
        _ = lead()
        output.append(value ? "true" : "false")
    }

    public func integer(_ value: Int64) {
        if lead() == .bare {
            output.append(integer: value)
        } else {
            output.append(UInt8(ascii: "\""))
            output.append(integer: value)
            output.append(UInt8(ascii: "\""))
        }
    }

    public func double(_ value: Double) {
        _ = lead()
        output.append(double: value)
    }

    public func text(_ utf8: UnsafeRawBufferPointer) {
        switch lead() {
        case .bare: unsafe output.append(utf8)
        case .escaped: unsafe output.appendQuoted(utf8)
        case .quoted:
            output.append(UInt8(ascii: "\""))
            unsafe output.append(utf8)
            output.append(UInt8(ascii: "\""))
        }
    }

    public func binary(_ bytes: UnsafeRawBufferPointer) {
        _ = lead()
        output.append(UInt8(ascii: "\""))
        unsafe output.append(base64URL: bytes)
        output.append(UInt8(ascii: "\""))
    }

    public func beginExpansion(_ index: Int) {
        let expansion = frame.shape.expansions[index]
        output.append(expansion.lead)
        if expansion.isCollection { output.append(UInt8(ascii: "[")) }
        outer.append(frame)
        frame = Frame(shape: expansion.shape)
    }

    public func endExpansion(_ index: Int, count: Int?) {
        guard let parent = outer.popLast() else { preconditionFailure("An expansion ends that did not begin.") }
        let expansion = parent.shape.expansions[index]
        if expansion.isCollection {
            output.append(UInt8(ascii: "]"))
        } else if frame.rows == 0 {
            output.append("null")
        }
        if let count {
            output.append(expansion.countLead)
            output.append(integer: Int64(count))
        }
        frame = parent
    }

    // MARK: Removed entities

    public func removed(key: Key, reason: RemovalReason) {
        guard let entityType else { preconditionFailure("Removed entities need the entity type of the writer.") }
        if items > 0 { output.append(UInt8(ascii: ",")) }
        items += 1
        let id = ResourceURL.entity(set: shape.set, key: key, type: entityType)
        if format.version == .v40 {
            output.append("{\"@odata.context\":")
            output.appendQuoted("#\(shape.set)/$deletedEntity")
            output.append(",\"id\":")
            output.appendQuoted(id)
            output.append(text: ",\"reason\":\"\(reason.rawValue)\"}")
        } else {
            output.append(text: "{\"@removed\":{\"reason\":\"\(reason.rawValue)\"},\"@id\":")
            output.appendQuoted(id)
            for (place, value) in zip(entityType.key, key.values) {
                output.append(UInt8(ascii: ","))
                output.appendQuoted(entityType.properties[place].names.wire)
                output.append(UInt8(ascii: ":"))
                output.append(value: value, type: entityType.properties[place].type, format: format)
            }
            output.append(UInt8(ascii: "}"))
        }
        if let onFull, output.count >= drainThreshold { onFull(output) }
    }
}
