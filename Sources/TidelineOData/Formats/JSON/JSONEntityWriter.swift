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
@safe
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
    public var rows: Int { unsafe state.pointee.rows }
    /// Once the answer has so many bytes, no row of the outermost level is written.
    var byteLimit = Int.max
    /// The sets and properties of which values were told as exceptions, `Orders.Quantity`.
    public internal(set) var exceptions: Set<String> = []

    struct Frame {
        let shape: CompiledShape
        /// Where the member around the rows begins, and whether with a comma.
        var start = 0
        var startsWithComma = true
        /// Whether there are more rows than are written.
        var isCut = false
        /// Where the related entities that follow those of the frame come, if there are any.
        var last: [Value]?
        /// Whether the row at hand has a member, where that is not plain.
        var hasMembers = false
        /// Whether the row at hand is gathered and not written yet.
        var isPending = false
        /// The URL of the row at hand, relative to the service root, and of the collection that it stands in.
        var url = ""
        var collectionURL: String?
        /// The URL of the one contained entity that the frame may hold.
        var entityURL: String?
        /// Whether the row at hand is written as a reference, for the answer holds it already.
        var isReferred = false
        /// The derived type of the row at hand.
        var kind: RowShape.Derivation.Kind?
    }

    /// What happens to a value that is pushed.
    enum Mode {
        case direct, captured, skipped
    }

    let shape: RowShape
    let format: JSONFormat
    let entityType: EntityType?
    /// What is looked at with each value; ``frame`` has the rest.
    let state: UnsafeMutablePointer<RowState>
    var frame: Frame
    var skipped = 0
    var outer: [(Frame, RowState.Level)] = unsafe []
    private var envelope = Envelope.none
    /// The absolute or relative URL of the service root, with a slash at its end.
    private(set) var root = ""
    lazy var capture = RowCapture()
    /// The entities that the answer holds, by their URLs, and as what they stand there.
    var held: [String: [CompiledShape]] = [:]
    /// What a client may hold of the dynamic properties of the outermost rows, in a delta; `nil` in another answer.
    public var formerMembers: FormerMembers?
    /// What begins each of the outermost rows, with a comma at its end.
    var rowLead: [UInt8] = [] {
        didSet { unsafe state.pointee.hasRowLead = !rowLead.isEmpty }
    }
    /// What is done with the JSON of columns, at the places that ``RowShape/Column/transform`` names.
    ///
    /// The text, and how many items there are where that is told; `nil` for text of another kind.
    public var transforms: [(String, JSONFormat) -> (text: String, count: Int?)?] = []
    /// Makes the token of the link to the related entities that follow a page: it says after which place they come.
    public var skipToken: (RowShape.Expansion.Rest, _ after: [Value]) -> String = { _, _ in
        preconditionFailure("Pages of related entities need a maker of tokens.")
    }

    /// - Parameters:
    ///   - type: the entity type of the rows, where removed entities are written.
    ///   - output: where the bytes go; a batch gives its own.
    ///   - isReference: whether rows are written as references.
    public convenience init(
        shape: RowShape,
        format: JSONFormat,
        type: EntityType? = nil,
        output: ByteWriter = ByteWriter(),
        isReference: Bool = false
    ) {
        let compiled = CompiledShape(shape, format: format, isReference: isReference)
        self.init(compiled, format, type, output)
    }

    /// A writer for rows of the same shape and form, which has written nothing yet.
    package convenience init(like other: JSONEntityWriter) {
        self.init(other.frame.shape, other.format, other.entityType, ByteWriter())
        transforms = other.transforms
        skipToken = other.skipToken
    }

    private init(_ compiled: CompiledShape, _ format: JSONFormat, _ type: EntityType?, _ output: ByteWriter) {
        shape = compiled.source
        self.format = format
        self.output = output
        entityType = type
        frame = Frame(shape: compiled)
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: RowState(compiled))
    }

    deinit { unsafe state.deallocate() }

    /// Begins the answer.
    ///
    /// - Parameters:
    ///   - contextRoot: the absolute or relative URL of `$metadata`, to which the fragment is added.
    ///   - fragment: what follows the hash sign, where it is not that of the set.
    ///   - count: the number of all entities that match, where `$count=true` asked for it.
    public func begin(_ envelope: Envelope, contextRoot: String, fragment: String? = nil, count: Int? = nil) {
        self.envelope = envelope
        unsafe state.pointee.isEntity = envelope == .entity
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
            append(count: count, to: output)
            isFirst = false
        }
        if envelope == .entity {
            pendingComma = !isFirst
        } else {
            if format.metadata == .full { writeCollectionOperations() }
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
    private(set) var pendingComma = false
    /// Where the members of a single entity begin.
    var entityStart = 0

    private func control(_ name: String, isFirst: Bool) {
        output.append(text: "\(isFirst ? "" : ",")\"@\(format.version.controlPrefix)\(name)\":")
    }

    /// Writes a count: a string where numbers of 64 bits are.
    ///
    /// Source: OData JSON Format 4.01, section 3.2.
    func append(count: Int, to target: ByteWriter) {
        if format.ieee754Compatible { target.append(UInt8(ascii: "\"")) }
        target.append(integer: Int64(count))
        if format.ieee754Compatible { target.append(UInt8(ascii: "\"")) }
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
        return (shape.singleton ?? shape.place) + cast + list + suffix
    }
}
