// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes indented XML into bytes.
package struct XMLWriter {
    package private(set) var bytes: [UInt8] = []
    private var open: [String] = []
    private let emptyEnd: String

    /// - Parameter emptyEnd: how a tag of an element without content ends.
    package init(emptyEnd: String = "/>") {
        self.emptyEnd = emptyEnd
        bytes.append(contentsOf: #"<?xml version="1.0" encoding="utf-8"?>"#.utf8)
    }

    /// An element with no content.
    package mutating func element(_ name: String, _ attributes: [(String, String?)]) {
        start(name, attributes)
        bytes.append(contentsOf: emptyEnd.utf8)
    }

    /// An element with text.
    package mutating func element(_ name: String, text: String) { element(name, [], text: text) }

    /// An element with attributes and text.
    package mutating func element(_ name: String, _ attributes: [(String, String?)], text: String) {
        start(name, attributes)
        bytes.append(UInt8(ascii: ">"))
        appendEscaped(text)
        bytes.append(contentsOf: "</\(name)>".utf8)
    }

    /// An element and what `content` writes into it; empty when it writes nothing.
    package mutating func element(
        _ name: String,
        _ attributes: [(String, String?)],
        _ content: (inout XMLWriter) -> Void
    ) {
        start(name, attributes)
        let mark = bytes.count
        bytes.append(UInt8(ascii: ">"))
        open.append(name)
        content(&self)
        open.removeLast()
        if bytes.count == mark + 1 {
            bytes.removeLast()
            bytes.append(contentsOf: emptyEnd.utf8)
        } else {
            newLine()
            bytes.append(contentsOf: "</\(name)>".utf8)
        }
    }

    private mutating func start(_ name: String, _ attributes: [(String, String?)]) {
        newLine()
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: name.utf8)
        for case (let attribute, let value?) in attributes {
            bytes.append(contentsOf: " \(attribute)=\"".utf8)
            appendEscaped(value)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: open.count * 2))
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case 9, 10, 13: bytes.append(contentsOf: "&#\(byte);".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
