// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads XML element by element: names with their namespaces resolved, attributes, and text where it is asked for.
///
/// It knows what metadata documents and feeds may hold and no more: no DTD, no entities but the five and numeric
/// references, UTF-8 only. Nesting is limited.
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
        /// Attributes in their order, without the declarations of namespaces; prefixes stay.
        var attributes: [(name: String, value: String)]

        /// The value of an attribute without a prefix, or `nil`.
        subscript(_ name: String) -> String? {
            for attribute in attributes where attribute.name == name { return attribute.value }
            return nil
        }
    }

    private static let maxDepth = 128

    let bytes: [UInt8]
    var offset = 0
    /// The qualified name that has to close each open element, as a range of bytes.
    private var open: [Range<Int>] = []
    /// The declarations in scope, with the depth of their element.
    private var declarations: [(prefix: String, uri: String, depth: Int)] = []
    private var pendingEnd = false
    private var hasRoot = false

    /// - Throws: ``ODataError/Code/invalidMetadata`` for bytes that are not UTF-8.
    init(_ bytes: [UInt8]) throws(ODataError) {
        guard unsafe bytes.withUnsafeBufferPointer({ unsafe UTF8Check.firstError($0) }) == nil else {
            throw ODataError(.invalidMetadata, "The document is not UTF-8.")
        }
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The next start or end of an element; text between is passed over.
    mutating func next() throws(ODataError) -> Event {
        if pendingEnd {
            pendingEnd = false
            close()
            return .end
        }
        while true {
            while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
            guard offset + 1 < bytes.count else {
                guard offset == bytes.count, open.isEmpty, hasRoot else {
                    throw error("The document ends too early.")
                }
                return .finished
            }
            switch bytes[offset + 1] {
            case UInt8(ascii: "/"):
                try end()
                return .end
            case UInt8(ascii: "?"): try skip(past: "?>")
            case UInt8(ascii: "!"): try skipMarkup()
            default: return .start(try start())
            }
        }
    }

    /// The text of the element whose start was read last, up to its end, which is read too.
    ///
    /// - Throws: ``ODataError/Code/invalidMetadata`` where an element stands in it.
    mutating func text() throws(ODataError) -> String {
        if pendingEnd {
            pendingEnd = false
            close()
            return ""
        }
        var text: [UInt8] = []
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "&"): try reference(into: &text)
            case UInt8(ascii: "<"):
                if starts(with: "</") {
                    try end()
                    return String(decoding: text, as: UTF8.self)
                } else if starts(with: "<![CDATA[") {
                    let start = offset + 9
                    try skip(past: "]]>")
                    text.append(contentsOf: bytes[start..<offset - 3])
                } else if starts(with: "<!") {
                    try skipMarkup()
                } else if starts(with: "<?") {
                    try skip(past: "?>")
                } else {
                    throw error("An element stands where only text may.")
                }
            case let byte:
                text.append(byte)
                offset += 1
            }
        }
        throw error("The document ends too early.")
    }

    private mutating func skipMarkup() throws(ODataError) {
        if starts(with: "<!--") {
            try skip(past: "-->")
        } else if starts(with: "<![CDATA["), !open.isEmpty {
            try skip(past: "]]>")
        } else {
            throw error("A document type declaration is not accepted.")
        }
    }

    private mutating func start() throws(ODataError) -> Element {
        guard open.count < Self.maxDepth else { throw error("The document is nested too deeply.") }
        guard !(open.isEmpty && hasRoot) else { throw error("The document has a second root.") }
        hasRoot = true
        offset += 1
        let name = try self.name()
        open.append(name)
        var attributes: [(name: String, value: String)] = []
        while true {
            let hadSpace = skipSpace()
            guard offset < bytes.count else { throw error("The document ends too early.") }
            if bytes[offset] == UInt8(ascii: ">") {
                offset += 1
                break
            }
            if starts(with: "/>") {
                offset += 2
                pendingEnd = true
                break
            }
            guard hadSpace else { throw error("A blank is missing before an attribute.") }
            let attribute = text(of: try self.name())
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else {
                throw error("An attribute has no value.")
            }
            offset += 1
            skipSpace()
            let value = try attributeValue()
            if attribute == "xmlns" {
                declarations.append(("", value, open.count))
            } else if attribute.hasPrefix("xmlns:") {
                declarations.append((String(attribute.dropFirst(6)), value, open.count))
            } else {
                guard !attributes.contains(where: { $0.name == attribute }) else {
                    throw error("An attribute stands twice.")
                }
                attributes.append((attribute, value))
            }
        }
        let colon = bytes[name].firstIndex(of: UInt8(ascii: ":"))
        let prefix = colon.map { text(of: name.lowerBound..<$0) } ?? ""
        let local = colon.map { text(of: $0 + 1..<name.upperBound) } ?? text(of: name)
        guard let namespace = declarations.last(where: { $0.prefix == prefix })?.uri ?? (prefix.isEmpty ? "" : nil)
        else {
            throw error("The prefix ‘\(prefix)’ is not declared.")
        }
        return Element(namespace: namespace, name: local, attributes: attributes)
    }

    private mutating func end() throws(ODataError) {
        offset += 2
        let name = try self.name()
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else { throw error("An end tag is not closed.") }
        offset += 1
        guard let expected = open.last, bytes[expected] == bytes[name] else {
            throw error("The end tag ‘\(text(of: name))’ closes nothing.")
        }
        close()
    }

    private mutating func close() {
        while declarations.last?.depth == open.count { declarations.removeLast() }
        open.removeLast()
    }

    func error(_ message: String) -> ODataError {
        ODataError(.invalidMetadata, message, at: offset)
    }
}
