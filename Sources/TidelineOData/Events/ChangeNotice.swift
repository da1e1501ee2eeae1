// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Tells that there is something to pull, and in which sets; never what.
///
///     {"id":"3q2-7w…","sets":["Orders","Products"]}
public struct ChangeNotice: Hashable, Sendable {
    /// How far the service's changes are told of: opaque, to be given back for what comes after it.
    public var id: String
    /// The wire names of the sets to look at; empty where nothing is new.
    public var sets: Set<String>

    public init(id: String, sets: Set<String>) {
        self.id = id
        self.sets = sets
    }

    /// Reads a JSON object; members that are not known are passed over.
    ///
    /// - Throws: `InvalidJSON` for no such object.
    public init(json: some Collection<UInt8>) throws(ODataError) {
        self = try JSONReader.read(Array(json)[...]) { reader throws(ODataError) in
            var id: String?
            var sets: Set<String>?
            try reader.beginObject()
            var isFirst = true
            while let name = try reader.nextName(&isFirst) {
                switch try reader.string(name) {
                case "id" where try reader.kind() == .string: id = try reader.stringValue()
                case "sets" where try reader.kind() == .array: sets = try Self.names(&reader)
                default: try reader.skipValue()
                }
            }
            guard let id, let sets else { throw reader.error("A notice has an id and the names of sets.") }
            return ChangeNotice(id: id, sets: sets)
        }
    }

    /// The JSON object, the names in the order of their code points.
    public var json: [UInt8] {
        let output = ByteWriter(capacity: 256)
        output.append("{\"id\":")
        output.appendQuoted(id)
        output.append(",\"sets\":[")
        for (place, set) in sets.sorted().enumerated() {
            if place > 0 { output.append(",") }
            output.appendQuoted(set)
        }
        output.append("]}")
        return output.bytes
    }

    private static func names(_ reader: inout JSONReader) throws(ODataError) -> Set<String> {
        var names: Set<String> = []
        try reader.beginArray()
        var isFirst = true
        while try reader.nextElement(&isFirst) { names.insert(try reader.stringValue()) }
        return names
    }
}
