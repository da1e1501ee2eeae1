// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads XML element by element: names with their namespaces resolved, attributes, no text.
///
/// For metadata documents, so it knows what they may hold and no more: no DTD, no entities but the five and numeric
/// references, UTF-8 only. Text between elements is passed over. Nesting is limited.
/// Source: XML 1.0, fifth edition; Namespaces in XML 1.0.
struct XMLPullReader {
    enum Event {
        case start(Element)
        case end
        case finished
    }

    struct Element {
        var namespace: String
        var name: String
        /// Attributes without a namespace, by name.
        var attributes: [String: String]
    }

    private static let maxDepth = 64

    private let bytes: [UInt8]
    private var offset = 0
    /// The namespaces in scope of each open element, by prefix; the qualified name that has to close it.
    private var open: [(namespaces: [String: String], name: String)] = []
    private var pendingEnd = false
    private var hasRoot = false

    /// - Throws: ``ODataError/Code/invalidMetadata`` for bytes that are not UTF-8.
    init(_ bytes: [UInt8]) throws(ODataError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ODataError(.invalidMetadata, "The document is not UTF-8.")
        }
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The next start or end of an element.
    mutating func next() throws(ODataError) -> Event {
        if pendingEnd {
            pendingEnd = false
            open.removeLast()
            return .end
        }
        while true {
            skipText()
            guard offset < bytes.count else {
                guard open.isEmpty, hasRoot else { throw error("The document ends too early.") }
                return .finished
            }
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<![CDATA[") {
                try skip(past: "]]>")
            } else if starts(with: "<!") {
                throw error("A document type declaration is not accepted.")
            } else if starts(with: "</") {
                try end()
                return .end
            } else {
                return .start(try start())
            }
        }
    }

    private mutating func start() throws(ODataError) -> Element {
        guard open.count < Self.maxDepth else { throw error("The document is nested too deeply.") }
        guard !(open.isEmpty && hasRoot) else { throw error("The document has a second root.") }
        hasRoot = true
        offset += 1
        let name = try self.name()
        var namespaces = open.last?.namespaces ?? ["": ""]
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = skipSpace()
            if starts(with: "/>") {
                offset += 2
                pendingEnd = true
                break
            }
            if starts(with: ">") {
                offset += 1
                break
            }
            guard hadSpace else { throw error("A blank is missing before an attribute.") }
            let attribute = try self.name()
            skipSpace()
            guard starts(with: "=") else { throw error("An attribute has no value.") }
            offset += 1
            skipSpace()
            let value = try attributeValue()
            if attribute == "xmlns" {
                namespaces[""] = value
            } else if attribute.hasPrefix("xmlns:") {
                namespaces[String(attribute.dropFirst(6))] = value
            } else if attributes.updateValue(value, forKey: attribute) != nil {
                throw error("An attribute stands twice.")
            }
        }
        open.append((namespaces, name))
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        guard let namespace = namespaces[prefix] else { throw error("The prefix ‘\(prefix)’ is not declared.") }
        return Element(namespace: namespace, name: String(parts.last ?? ""), attributes: attributes)
    }

    private mutating func end() throws(ODataError) {
        offset += 2
        let name = try self.name()
        skipSpace()
        guard starts(with: ">") else { throw error("An end tag is not closed.") }
        offset += 1
        guard let expected = open.popLast(), expected.name == name else {
            throw error("The end tag ‘\(name)’ closes nothing.")
        }
    }

    private mutating func name() throws(ODataError) -> String {
        let start = offset
        while offset < bytes.count, Self.isNameByte(bytes[offset]) { offset += 1 }
        guard offset > start else { throw error("A name is expected.") }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func attributeValue() throws(ODataError) -> String {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else {
            throw error("An attribute's value is not quoted.")
        }
        let quote = bytes[offset]
        offset += 1
        var value: [UInt8] = []
        while offset < bytes.count, bytes[offset] != quote {
            switch bytes[offset] {
            case UInt8(ascii: "<"): throw error("‘<’ stands in an attribute's value.")
            case UInt8(ascii: "&"): try reference(into: &value)
            case 9, 10, 13:
                value.append(UInt8(ascii: " "))
                offset += 1
            case let byte:
                value.append(byte)
                offset += 1
            }
        }
        guard offset < bytes.count else { throw error("The document ends too early.") }
        offset += 1
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func reference(into value: inout [UInt8]) throws(ODataError) {
        guard let end = bytes[offset...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw error("A reference is not closed.")
        }
        let text = String(decoding: bytes[offset + 1..<end], as: UTF8.self)
        switch text {
        case "amp": value.append(UInt8(ascii: "&"))
        case "lt": value.append(UInt8(ascii: "<"))
        case "gt": value.append(UInt8(ascii: ">"))
        case "quot": value.append(UInt8(ascii: "\""))
        case "apos": value.append(UInt8(ascii: "'"))
        default:
            let digits = text.hasPrefix("#x") ? text.dropFirst(2) : text.dropFirst(1)
            guard
                text.hasPrefix("#"), let code = UInt32(digits, radix: text.hasPrefix("#x") ? 16 : 10),
                let scalar = Unicode.Scalar(code), code != 0
            else { throw error("The entity ‘\(text)’ is not known.") }
            value.append(contentsOf: String(Character(scalar)).utf8)
        }
        offset = end + 1
    }

    private mutating func skipText() {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = offset
        while offset < bytes.count, [9, 10, 13, 32].contains(bytes[offset]) { offset += 1 }
        return offset > start
    }

    private mutating func skip(past mark: StaticString) throws(ODataError) {
        while offset < bytes.count, !starts(with: mark) { offset += 1 }
        guard offset < bytes.count else { throw error("The document ends too early.") }
        offset += mark.utf8CodeUnitCount
    }

    private func starts(with mark: StaticString) -> Bool {
        bytes[offset...].starts(with: "\(mark)".utf8)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private func error(_ message: String) -> ODataError {
        ODataError(.invalidMetadata, message, at: offset)
    }
}
