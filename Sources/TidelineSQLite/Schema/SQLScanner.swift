// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads what the pragmas of SQLite do not tell from the text of CREATE statements.
enum SQLScanner {
    /// One token: a word, a quoted thing, a comment's absence, or a single character.
    private struct Token {
        var text: Substring
        var isWord: Bool
    }

    // By scalars: a quote before a combining mark is no character of its own.
    private static func tokens(of text: String) -> [Token] {
        let sql = text.unicodeScalars
        var tokens: [Token] = []
        var position = sql.startIndex
        func isWordCharacter(_ character: Unicode.Scalar) -> Bool {
            !character.isASCII || character.properties.isAlphabetic || character.properties.numericType != nil
                || character == "_" || character == "$"
        }
        while position < sql.endIndex {
            let start = position
            let character = sql[position]
            position = sql.index(after: position)
            if character.properties.isWhitespace { continue }
            if character == "-", position < sql.endIndex, sql[position] == "-" {
                while position < sql.endIndex, sql[position] != "\n" { position = sql.index(after: position) }
                continue
            }
            if character == "/", position < sql.endIndex, sql[position] == "*" {
                let end = sql[position...].dropFirst().firstRange(of: "*/".unicodeScalars)
                position = end?.upperBound ?? sql.endIndex
                continue
            }
            if character == "'" || character == "\"" || character == "`" || character == "[" {
                let close: Unicode.Scalar = character == "[" ? "]" : character
                while position < sql.endIndex {
                    let current = sql[position]
                    position = sql.index(after: position)
                    guard current == close else { continue }
                    // A doubled quote stands for itself.
                    if close != "]", position < sql.endIndex, sql[position] == close {
                        position = sql.index(after: position)
                        continue
                    }
                    break
                }
                tokens.append(Token(text: text[start..<position], isWord: false))
                continue
            }
            if isWordCharacter(character) {
                while position < sql.endIndex, isWordCharacter(sql[position]) { position = sql.index(after: position) }
                tokens.append(Token(text: text[start..<position], isWord: true))
                continue
            }
            tokens.append(Token(text: text[start..<position], isWord: false))
        }
        return tokens
    }

    /// The unquoted words of a statement, upper-case.
    static func words(of sql: String) -> Set<String> {
        Set(tokens(of: sql).filter(\.isWord).map { $0.text.uppercased() })
    }

    /// The texts of the indexed columns and expressions of a CREATE INDEX, without ASC and DESC, and its condition.
    static func indexDefinition(_ sql: String) -> (parts: [String], condition: String?) {
        let tokens = tokens(of: sql)
        guard let on = tokens.firstIndex(where: { $0.isWord && $0.text.uppercased() == "ON" }),
            let open = tokens[on...].firstIndex(where: { $0.text == "(" })
        else { return ([], nil) }
        var parts: [String] = []
        var part: [Token] = []
        var depth = 0
        var position = open + 1
        func finishPart() {
            if let last = part.last, last.isWord, ["ASC", "DESC"].contains(last.text.uppercased()) {
                part.removeLast()
            }
            if let first = part.first, let last = part.last {
                parts.append(String(sql[first.text.startIndex..<last.text.endIndex]))
            }
            part = []
        }
        while position < tokens.count {
            let token = tokens[position]
            if token.text == "(" { depth += 1 }
            if token.text == ")" {
                if depth == 0 { break }
                depth -= 1
            }
            if token.text == ",", depth == 0 { finishPart() } else { part.append(token) }
            position += 1
        }
        finishPart()
        guard
            let condition = tokens[min(position, tokens.count)...].firstIndex(where: {
                $0.isWord && $0.text.uppercased() == "WHERE"
            }), condition + 1 < tokens.count, let last = tokens.last
        else { return (parts, nil) }
        return (parts, String(sql[tokens[condition + 1].text.startIndex..<last.text.endIndex]))
    }
}
