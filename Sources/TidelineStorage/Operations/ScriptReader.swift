// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads SQL just far enough to find parameters and the ends of statements.
struct ScriptReader {
    private let bytes: [UInt8]
    private let language: OperationScript.Language
    private var place = 0
    private var start = 0
    private var pieces: [OperationScript.Piece] = []
    private(set) var foreignParameter: String?

    init(_ sql: String, _ language: OperationScript.Language) {
        bytes = Array(sql.utf8)
        self.language = language
    }

    mutating func statements() -> [[OperationScript.Piece]] {
        var statements: [[OperationScript.Piece]] = []
        func finish(_ reader: inout ScriptReader) {
            reader.flush()
            if !reader.isBlank { statements.append(reader.pieces) }
            reader.pieces = []
        }
        while let byte = peek(0) {
            switch byte {
            case UInt8(ascii: ";"):
                finish(&self)
                place += 1
                start = place
            case UInt8(ascii: ":"): colon()
            case UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "$"): sign(byte)
            default: pass(byte)
            }
        }
        finish(&self)
        return statements
    }

    private func peek(_ ahead: Int) -> UInt8? {
        bytes.indices.contains(place + ahead) ? bytes[place + ahead] : nil
    }

    /// Adds what was passed over so far as text.
    private mutating func flush() {
        let end = min(place, bytes.count)
        if start < end { pieces.append(.text(String(decoding: bytes[start..<end], as: UTF8.self))) }
        start = end
    }

    /// Whether the statement at hand has nothing but blanks and comments.
    private var isBlank: Bool {
        pieces.allSatisfy { piece in
            guard case .text(let text) = piece else { return false }
            return Self.firstWord(text, language).isEmpty
        }
    }

    static func isWord(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return letter >= 0x61 && letter <= 0x7A || byte == 0x5F || byte >= 0x80 || byte >= 0x30 && byte <= 0x39
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    // MARK: Parameters

    private mutating func colon() {
        if peek(1) == UInt8(ascii: ":") {
            place += 2
            return
        }
        guard let next = peek(1), Self.isWord(next), !Self.isDigit(next) else {
            place += 1
            return
        }
        flush()
        place += 1
        let name = word()
        pieces.append(.parameter(name))
        start = place
    }

    private mutating func word() -> String {
        let begin = place
        while let byte = peek(0), Self.isWord(byte) { place += 1 }
        return String(decoding: bytes[begin..<place], as: UTF8.self)
    }

    /// A sign that begins a parameter in SQLite, and in PostgreSQL a quoted text, a parameter or an operator.
    private mutating func sign(_ byte: UInt8) {
        if language == .postgres {
            guard byte == UInt8(ascii: "$") else {
                place += 1
                return
            }
            if let next = peek(1), Self.isDigit(next) {
                note()
                return
            }
            if let tag = dollarTag() { return skip(past: tag) }
            place += 1
            return
        }
        note()
    }

    private mutating func note() {
        let begin = place
        place += 1
        _ = word()
        foreignParameter = foreignParameter ?? String(decoding: bytes[begin..<place], as: UTF8.self)
    }

    /// The `$tag$` that begins a dollar-quoted text here, or `nil`.
    private func dollarTag() -> [UInt8]? {
        var end = place + 1
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return nil }
        return Array(bytes[place...end])
    }

    private mutating func skip(past tag: [UInt8]) {
        place += tag.count
        while place < bytes.count, !bytes[place...].starts(with: tag) { place += 1 }
        place = min(place + tag.count, bytes.count)
    }

    // MARK: What is passed over

    private mutating func pass(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "'"):
            let before = place > start ? bytes[place - 1] | 0x20 : 0
            let isEscaped =
                language == .postgres && before == UInt8(ascii: "e")
                && (place < 2 || !Self.isWord(bytes[place - 2]))
            quoted(byte, escapes: isEscaped)
        case UInt8(ascii: "\""): quoted(byte)
        case UInt8(ascii: "`") where language == .sqlite: quoted(byte)
        case UInt8(ascii: "[") where language == .sqlite:
            while let byte = peek(0), byte != UInt8(ascii: "]") { place += 1 }
            place += 1
        case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
            while let byte = peek(0), byte != UInt8(ascii: "\n") { place += 1 }
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): comment()
        default:
            if Self.isWord(byte) { _ = word() } else { place += 1 }
        }
    }

    private mutating func quoted(_ quote: UInt8, escapes: Bool = false) {
        place += 1
        while let byte = peek(0) {
            place += 1
            if escapes, byte == UInt8(ascii: "\\") {
                place += 1
            } else if byte == quote {
                // A doubled quote stands for itself.
                guard peek(0) == quote else { return }
                place += 1
            }
        }
    }

    /// A comment; in PostgreSQL it may hold others.
    private mutating func comment() {
        var depth = 0
        while place < bytes.count {
            if peek(0) == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                place += 2
                depth -= 1
                if depth <= 0 { return }
            } else if peek(0) == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*"), depth == 0 || language == .postgres {
                place += 2
                depth += 1
            } else {
                place += 1
            }
        }
    }

    /// The first word after blanks, comments and opening parentheses, upper-case.
    static func firstWord(_ text: String, _ language: OperationScript.Language) -> String {
        var reader = ScriptReader(text, language)
        while let byte = reader.peek(0) {
            if isWord(byte) { return reader.word().uppercased() }
            let isComment =
                byte == UInt8(ascii: "-") && reader.peek(1) == byte
                || byte == UInt8(ascii: "/") && reader.peek(1) == UInt8(ascii: "*")
            guard isComment || byte <= 0x20 || byte == UInt8(ascii: "(") else { return String(UnicodeScalar(byte)) }
            if isComment { reader.pass(byte) } else { reader.place += 1 }
        }
        return ""
    }
}
