// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Turns pushed rows into the bytes of an OData JSON answer.
///
///     begin(.collection)  rows…  end(nextLink:)        begin(.entity)  one row  end()
///
/// Nothing is built for a value but its bytes: no strings, no tree. The store pushes the columns of the shape in its
/// order; the ETag, known at the end of a row, fills a hole of fixed length at its start. Rows whose members depend on
/// one another (complex and derived types, links of full metadata, nulls left out) are gathered first, as bytes.
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
    /// What could not be written: a stored text that is no JSON, or no shape.
    public internal(set) var failure: ODataError?

    struct Frame {
        let shape: CompiledShape
        var column = 0
        /// Where the hole of the ETag begins, or -1.
        var hole = -1
        /// How many rows stand in the array or place of this frame.
        var rows = 0
        /// The most rows that are written.
        var limit = Int.max
        /// Whether there are more than ``limit``.
        var isCut = false
        /// Whether the row at hand has a member, where that is not plain.
        var hasMembers = false
        /// Whether the row at hand is gathered and not written yet.
        var isPending = false
        /// The URL of the row at hand, relative to the service root, and of the collection that it stands in.
        var url = ""
        var collectionURL: String?
        /// The derived type of the row at hand.
        var kind: RowShape.Derivation.Kind?
    }

    /// What happens to a value that is pushed.
    enum Mode {
        case direct, captured, skipped
    }

    let shape: RowShape
    let format: JSONFormat
    private let entityType: EntityType?
    var frame: Frame
    private var mode: Mode
    private var skipped = 0
    private var outer: [Frame] = []
    private var envelope = Envelope.none
    private var items = 0
    /// The absolute or relative URL of the service root, with a slash at its end.
    private(set) var root = ""
    lazy var capture = RowCapture()

    /// - Parameters:
    ///   - type: the entity type of the rows, where removed entities are written.
    ///   - output: where the bytes go; a batch gives its own.
    ///   - isReference: whether rows are written as references.
    public init(
        shape: RowShape,
        format: JSONFormat,
        type: EntityType? = nil,
        output: ByteWriter = ByteWriter(),
        isReference: Bool = false
    ) {
        self.shape = shape
        self.format = format
        self.output = output
        entityType = type
        frame = Frame(shape: CompiledShape(shape, format: format, isReference: isReference))
        mode = frame.shape.isCaptured ? .captured : .direct
    }

    /// Begins the answer.
    ///
    /// - Parameters:
    ///   - contextRoot: the absolute or relative URL of `$metadata`, to which the fragment is added.
    ///   - fragment: what follows the hash sign, where it is not that of the set.
    ///   - count: the number of all entities that match, where `$count=true` asked for it.
    public func begin(_ envelope: Envelope, contextRoot: String, fragment: String? = nil, count: Int? = nil) {
        self.envelope = envelope
        if contextRoot.hasSuffix("$metadata") { root = String(contextRoot.dropLast(9)) }
        guard envelope != .none else { return }
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        if format.metadata != .none {
            control("context", isFirst: true)
            output.appendQuoted(contextRoot + "#" + (fragment ?? self.fragment(envelope)))
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
        let list = shape.selectList(format.version).map { "(\($0))" } ?? ""
        let suffix =
            switch envelope {
            case .delta: "/$delta"
            case .entity: shape.singleton == nil ? "/$entity" : ""
            case .collection, .none: ""
            }
        let cast = shape.castType.map { "/\($0)" } ?? ""
        return (shape.singleton ?? shape.containedIn ?? shape.set) + cast + list + suffix
    }

    // MARK: Rows

    public func beginRow() {
        if mode == .skipped {
            skipped += 1
            return
        }
        if frame.rows >= frame.limit {
            frame.isCut = true
            mode = .skipped
            skipped = 1
            return
        }
        if outer.isEmpty { rows += 1 }
        frame.column = 0
        frame.hole = -1
        if mode == .captured {
            frame.isPending = true
            capture.begin(keyCount: frame.shape.source.key.count)
            return
        }
        openRow()
        if !frame.shape.etagLead.isEmpty { openETag() }
    }

    /// Writes the brace of a row, after a comma where rows or control information stand before it.
    func openRow() {
        if outer.isEmpty {
            if envelope == .entity {
                if pendingComma { output.append(UInt8(ascii: ",")) }
            } else {
                output.append(items == 0 ? "{" : ",{")
            }
            items += 1
        } else {
            output.append(frame.rows == 0 ? "{" : ",{")
        }
        frame.rows += 1
    }

    /// Writes the ETag with a hole for its digits.
    func openETag() {
        output.append(frame.shape.etagLead)
        frame.hole = output.count
        unsafe output.room(22).initialize(repeating: UInt8(ascii: "A"), count: 22)
        output.advance(22)
        output.append(frame.shape.etagTail)
    }

    public func endRow(etag: ETag?) {
        if mode == .skipped {
            leaveSkipped()
            return
        }
        if frame.isPending { writeCaptured() }
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
        guard mode == .direct else { return gather(.null) { $0.append("null") } }
        if lead() == .jsonArray { output.append("[]") } else { output.append("null") }
    }

    public func boolean(_ value: Bool) {
        guard mode == .direct else { return gather(.boolean(value)) { $0.append(value ? "true" : "false") } }
        _ = lead()
        output.append(value ? "true" : "false")
    }

    public func integer(_ value: Int64) {
        guard mode == .direct else {
            return gather(.integer(value)) { self.write(integer: value, self.frame.shape.columns[self.frame.column], to: $0) }
        }
        let form = lead()
        if form == .bare {
            output.append(integer: value)
        } else {
            write(integer: value, frame.shape.columns[frame.column - 1], to: output)
        }
    }

    public func double(_ value: Double) {
        guard mode == .direct else { return gather(.double(value)) { $0.append(double: value) } }
        _ = lead()
        output.append(double: value)
    }

    public func text(_ utf8: UnsafeRawBufferPointer) {
        guard mode == .direct else { return unsafe gather(text: utf8) }
        switch lead() {
        case .bare: unsafe output.append(utf8)
        case .escaped: unsafe output.appendQuoted(utf8)
        case .quoted:
            output.append(UInt8(ascii: "\""))
            unsafe output.append(utf8)
            output.append(UInt8(ascii: "\""))
        default: unsafe write(text: utf8, frame.shape.columns[frame.column - 1], to: output)
        }
    }

    public func binary(_ bytes: UnsafeRawBufferPointer) {
        guard mode == .direct else {
            let copy = unsafe Array(bytes)
            return gather(.binary(copy)) { output in
                output.append(value: .binary(copy), type: .binary, format: self.format)
            }
        }
        _ = lead()
        output.append(UInt8(ascii: "\""))
        unsafe output.append(base64URL: bytes)
        output.append(UInt8(ascii: "\""))
    }

    /// Keeps a value of a row that is gathered.
    private func gather(_ value: Value, _ write: (ByteWriter) -> Void) {
        guard mode == .captured else { return }
        write(capture.output)
        capture.end(value, frame.shape.columns[frame.column].shape, isDiscriminator: isDiscriminator)
        frame.column += 1
    }

    private func gather(text utf8: UnsafeRawBufferPointer) {
        guard mode == .captured else { return }
        let column = frame.shape.columns[frame.column]
        unsafe write(text: utf8, column, to: capture.output)
        var value = Value.boolean(true)
        if column.shape.keyPlace != nil || isDiscriminator {
            let text = unsafe String(decoding: utf8, as: UTF8.self)
            value = column.shape.type == .string ? .string(text) : Value(text: text, as: column.shape.type) ?? .string(text)
        }
        capture.end(value, column.shape, isDiscriminator: isDiscriminator)
        frame.column += 1
    }

    private var isDiscriminator: Bool { frame.shape.source.derivation?.column == frame.column }

    // MARK: Expansions

    /// A row or an expansion that is not written has ended.
    private func leaveSkipped() {
        skipped -= 1
        if skipped == 0 { mode = frame.shape.isCaptured ? .captured : .direct }
    }

    public func beginExpansion(_ index: Int) {
        if mode == .skipped {
            skipped += 1
            return
        }
        if frame.isPending { writeCaptured() }
        let expansion = frame.shape.expansions[index]
        if let type = expansion.source.declaringType, frame.kind?.lineage.contains(type) != true {
            mode = .skipped
            skipped = 1
            return
        }
        let isCount = expansion.source.content == .count
        if !isCount {
            if frame.shape.isCaptured { writeLinks(of: expansion) } else { output.append(expansion.lead) }
            if expansion.isCollection { output.append(UInt8(ascii: "[")) }
        }
        outer.append(frame)
        let parent = frame
        frame = Frame(shape: expansion.shape)
        frame.limit = isCount ? 0 : expansion.source.pageLimit ?? .max
        if expansion.shape.source.isContained { frame.collectionURL = "\(parent.url)/\(expansion.source.name)" }
        mode = frame.shape.isCaptured ? .captured : .direct
    }

    public func endExpansion(_ index: Int, count: Int?) {
        if mode == .skipped {
            leaveSkipped()
            return
        }
        guard let parent = outer.popLast() else { preconditionFailure("An expansion ends that did not begin.") }
        let expansion = parent.shape.expansions[index]
        let isCut = frame.isCut
        if expansion.source.content != .count {
            if expansion.isCollection {
                output.append(UInt8(ascii: "]"))
            } else if frame.rows == 0 {
                output.append("null")
            }
        }
        frame = parent
        mode = frame.shape.isCaptured ? .captured : .direct
        if let count {
            if frame.shape.isCaptured {
                member(frame.shape.names.control("count", of: expansion.source.name))
            } else {
                output.append(expansion.countLead)
            }
            output.append(integer: Int64(count))
        }
        if isCut, expansion.source.content != .count {
            member(frame.shape.names.control("nextLink", of: expansion.source.name))
            output.appendQuoted("\(root)\(frame.url)/\(expansion.source.name)?\(expansion.source.nextQuery)")
        }
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
