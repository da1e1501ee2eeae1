// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The text of a default as the catalog prints it: a constant, or something that the database computes.
enum DefaultText: Equatable {
    case null
    case value(String)
    /// The next number of a sequence.
    case sequence
    case computed

    /// - Parameter text: such as `'new'::text`, `0`, `'-1'::integer`, `true`, `nextval('orders_id_seq'::regclass)`.
    init(_ text: String) {
        var text = text[...]
        while text.hasPrefix("("), text.hasSuffix(")"), !text.dropFirst().dropLast().contains("(") {
            text = text.dropFirst().dropLast()
        }
        if text.hasPrefix("nextval(") {
            self = .sequence
            return
        }
        if text.unicodeScalars.first == "'" {
            // A quoted text, then perhaps its type.
            var value = ""
            var rest = text.unicodeScalars.dropFirst()
            while let end = rest.firstIndex(of: "'") {
                value.unicodeScalars += rest[..<end]
                rest = rest[rest.index(after: end)...]
                guard rest.first == "'" else {
                    self = rest.isEmpty || Self.isCast(Substring(rest)) ? .value(value) : .computed
                    return
                }
                value.unicodeScalars.append("'")
                rest = rest.dropFirst()
            }
            self = .computed
            return
        }
        let word = text.prefix { $0 != ":" }
        let rest = text[word.endIndex...]
        guard rest.isEmpty || Self.isCast(rest) else {
            self = .computed
            return
        }
        switch word {
        case "NULL": self = .null
        case "true", "false": self = .value(String(word))
        default: self = EdmDecimal(String(word)) == nil ? .computed : .value(String(word))
        }
    }

    /// Whether a text is `::type` and nothing more.
    private static func isCast(_ text: Substring) -> Bool {
        text.hasPrefix("::") && text.dropFirst(2).allSatisfy { $0.isLetter || $0.isNumber || "_ (),[]\".".contains($0) }
    }
}
