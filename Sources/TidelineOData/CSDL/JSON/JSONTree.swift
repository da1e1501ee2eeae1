// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value as a tree, members in their order: for metadata documents, never for rows.
package indirect enum JSONTree: Sendable {
    case text(String)
    case integer(Int)
    /// A number that is no integer, as it stands.
    case number(String)
    case flag(Bool)
    case null
    case list([JSONTree])
    case object([(String, JSONTree)])

    /// The member of that name of an object, or `nil`.
    package subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    /// The members of an object; none for another value.
    package var members: [(String, JSONTree)] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// An object with some of its members and what is said of them, under other names.
    func choosing(_ names: [String: String]) -> JSONTree {
        .object(
            members.compactMap { name, value in
                switch ControlName(name) {
                case .plain(let plain): names[plain].map { ($0, value) }
                case .annotation(let property, let term): names[property].map { ("\($0)@\(term)", value) }
                case .control: nil
                }
            }
        )
    }

    /// The elements of an array; none for another value.
    var items: [JSONTree] {
        guard case .list(let items) = self else { return [] }
        return items
    }

    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// A text, or a number as text.
    package var scalar: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .integer(let number): "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case .null, .list, .object: nil
        }
    }

    var isTrue: Bool {
        guard case .flag(true) = self else { return false }
        return true
    }

    // MARK: Reading

    /// Reads a whole document.
    ///
    /// - Throws: ``ODataError`` with `invalidJSON`, or `tooComplex` when it is nested too deeply.
    package static func read(_ document: [UInt8]) throws(ODataError) -> JSONTree {
        try JSONReader.read(document[...]) { reader throws(ODataError) in try read(&reader, depth: 0) }
    }

    private static func read(_ reader: inout JSONReader, depth: Int) throws(ODataError) -> JSONTree {
        guard depth < JSONReader.depthLimit else {
            throw ODataError(.tooComplex, "The JSON text has more than \(JSONReader.depthLimit) levels.")
        }
        switch try reader.kind() {
        case .string: return .text(try reader.stringValue())
        case .boolean: return .flag(try reader.boolean())
        case .null:
            try reader.null()
            return .null
        case .number:
            let number = try reader.number()
            let text = String(decoding: reader.copy(number.range), as: UTF8.self)
            return Int(text).map(JSONTree.integer) ?? .number(text)
        case .array:
            var list: [JSONTree] = []
            var isFirst = true
            try reader.beginArray()
            while try reader.nextElement(&isFirst) { list.append(try read(&reader, depth: depth + 1)) }
            return .list(list)
        case .object:
            var members: [(String, JSONTree)] = []
            var isFirst = true
            try reader.beginObject()
            while let name = try reader.nextName(&isFirst) {
                members.append((try reader.string(name), try read(&reader, depth: depth + 1)))
            }
            return .object(members)
        }
    }

    // MARK: Writing

    /// The document.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): bytes.append(contentsOf: JSONText.quoted(text).utf8)
        case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        case .list(let list):
            bytes.append(UInt8(ascii: "["))
            for (place, element) in list.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(contentsOf: JSONText.quoted(member.0).utf8)
                bytes.append(UInt8(ascii: ":"))
                member.1.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
