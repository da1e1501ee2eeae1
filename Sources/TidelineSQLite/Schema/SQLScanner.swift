// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads what the pragmas of SQLite do not tell from the text of CREATE statements.
enum SQLScanner {
    /// One token: a word, a quoted thing, a comment's absence, or a single character.
    private struct Token {
        var text: Substring
        var isWord: Bool
    }

    private static func tokens(of sql: String) -> [Token] {
        var tokens: [Token] = []
        var position = sql.startIndex
        func isWordCharacter(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "_" || character == "$"
        }
        while position < sql.endIndex {
            let start = position
            let character = sql[position]
            position = sql.index(after: position)
            if character.isWhitespace { continue }
            if character == "-", position < sql.endIndex, sql[position] == "-" {
                while position < sql.endIndex, !sql[position].isNewline { position = sql.index(after: position) }
                continue
            }
            if character == "/", position < sql.endIndex, sql[position] == "*" {
                let end = sql[position...].dropFirst().firstRange(of: "*/")
                position = end?.upperBound ?? sql.endIndex
                continue
            }
            if character == "'" || character == "\"" || character == "`" || character == "[" {
                let close: Character = character == "[" ? "]" : character
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
                tokens.append(Token(text: sql[start..<position], isWord: false))
                continue
            }
            if isWordCharacter(character) {
                while position < sql.endIndex, isWordCharacter(sql[position]) { position = sql.index(after: position) }
                tokens.append(Token(text: sql[start..<position], isWord: true))
                continue
            }
            tokens.append(Token(text: sql[start..<position], isWord: false))
        }
        return tokens
    }

    /// The unquoted words of a statement, upper-case.
    static func words(of sql: String) -> Set<String> {
        Set(wordList(of: sql))
    }

    /// The unquoted words of a statement in their order, upper-case.
    static func wordList(of sql: String) -> [String] {
        tokens(of: sql).filter(\.isWord).map { $0.text.uppercased() }
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

    /// The collation that a column of a CREATE TABLE declares, upper-case, by the column's name, lower-case.
    static func columnCollations(_ sql: String) -> [String: String] {
        let tokens = tokens(of: sql)
        guard let open = tokens.firstIndex(where: { $0.text == "(" }) else { return [:] }
        var result: [String: String] = [:]
        var depth = 0
        var column: String?
        var position = open + 1
        var isStart = true
        while position < tokens.count {
            let token = tokens[position]
            if isStart {
                column = unquoted(token.text).lowercased()
                isStart = false
            } else if token.text == "(" {
                depth += 1
            } else if token.text == ")" {
                if depth == 0 { break }
                depth -= 1
            } else if token.text == ",", depth == 0 {
                isStart = true
            } else if depth == 0, token.isWord, token.text.uppercased() == "COLLATE", position + 1 < tokens.count,
                let column
            {
                result[column] = unquoted(tokens[position + 1].text).uppercased()
            }
            position += 1
        }
        return result
    }

    private static func unquoted(_ text: Substring) -> String {
        guard let first = text.first, "\"`['".contains(first), text.count >= 2 else { return String(text) }
        let close = first == "[" ? "]" : String(first)
        return String(text.dropFirst().dropLast()).replacing(close + close, with: close)
    }
}
