// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The body of a request to `$ref`: one reference, or several.
///
///     {"@id":"Orders(1)"}        {"value":[{"@id":"Orders(1)"},{"@id":"Orders(2)"}]}
///
/// Source: OData JSON Format 4.01, sections 14 and 12.
public enum ReferenceBody: Hashable, Sendable {
    case one(String)
    case several([String])

    /// - Throws: `InvalidJSON`; `InvalidBody` when there is no reference.
    public static func read(_ body: [UInt8]) throws(ODataError) -> ReferenceBody {
        try JSONReader.read(body[...]) { reader throws(ODataError) in
            var id: String?
            var list: [String]?
            guard try reader.kind() == .object else {
                throw ODataError(.invalidBody, "The body is no reference.", at: reader.offset)
            }
            try reader.beginObject()
            var isFirst = true
            while let token = try reader.nextName(&isFirst) {
                switch ControlName(try reader.string(token)) {
                case .control("id") where id == nil: id = try reader.stringValue()
                case .plain("value") where list == nil:
                    guard try reader.kind() == .array else {
                        throw ODataError(.invalidBody, "value is no list.", target: "value", at: reader.offset)
                    }
                    list = try references(&reader)
                case .control, .annotation: try reader.skipValue()
                case .plain(let name):
                    throw ODataError(.invalidBody, "A reference has no \(name.prefix(128)).", target: "@id")
                }
            }
            if let list, id == nil { return .several(list) }
            guard let id, list == nil else { throw ODataError(.invalidBody, "The body has no @id.", target: "@id") }
            return .one(id)
        }
    }

    private static func references(_ reader: inout JSONReader) throws(ODataError) -> [String] {
        var list: [String] = []
        try reader.beginArray()
        var isFirst = true
        while try reader.nextElement(&isFirst) {
            var id: String?
            try reader.beginObject()
            var isFirstMember = true
            while let token = try reader.nextName(&isFirstMember) {
                if ControlName(try reader.string(token)) == .control("id") {
                    id = try reader.stringValue()
                } else {
                    try reader.skipValue()
                }
            }
            guard let id else { throw ODataError(.invalidBody, "A reference has no @id.", target: "@id") }
            list.append(id)
        }
        return list
    }
}
