// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Names in Swift for names on the wire.
enum SwiftNames {
    /// A wire name as words joined, the first letter small or capital.
    static func identifier(_ wire: String, capital: Bool) -> String {
        // Names of OData may have characters that turn the line around them.
        let seen = String(String.UnicodeScalarView(wire.unicodeScalars.filter { !isUnseen($0) }))
        var name = WireNames.code(WireNames.identifier(seen), capital: capital)
        if name.allSatisfy({ $0 == "_" }) { name = (capital ? "Item" : "item") + name }
        return name
    }

    /// As it stands in a source: a keyword in backticks.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// What is said of a property or an entity that both sides may change.
    static func attribute(_ policy: ConflictPolicy) -> String {
        let rule =
            if case .custom(let name) = policy.rule { ".custom(\(literal(name)))" } else { ".\(policy.rule)" }
        return "@OnConflict(\(rule)\(policy.fallback == .serverWins ? "" : ", else: .\(policy.fallback)"))"
    }

    /// A string literal of any text.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where isUnseen(scalar):
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// Whether a character shows nothing, or turns what is around it: a source must read as it compiles.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{0}"..<"\u{20}", "\u{7F}", "\u{200B}"..."\u{200F}", "\u{2028}"..."\u{202E}", "\u{2060}"..."\u{2069}",
            "\u{FEFF}":
            true
        default: false
        }
    }

    /// What joins letters and pictures, or keeps words apart, in the text of a person.
    private static func isKept(_ scalar: Unicode.Scalar) -> Bool { ["\t", "\u{200C}", "\u{200D}"].contains(scalar) }

    /// The lines of a documentation comment; none for no text.
    static func comment(_ text: String?, indent: String = "") -> [String] {
        guard let text else { return [] }
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { isKept($0) || !isUnseen($0) }))
        }
        return lines.map { "\(indent)/// \($0.trimmingPrefix { $0 == " " })" }.map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Names that a member cannot have whatever stands around them, or that mean something else.
    static let unusableMembers: Set<String> = ["init", "self", "Self", "Type", "Protocol", "some", "any"]

    /// Names of members that the macro writes.
    static let takenMembers: Set<String> = [
        "entityDescription", "entitySet", "Columns", "entityKey", "edmValues", "bind", "rules", "navigationPath",
        "hashValue", "hash", "row", "binder",
    ]

    /// Names of types that generated sources use, so that no entity can have them.
    static let takenTypes: Set<String> = [
        "AllowedValues", "Any", "Array", "Binder", "Bool", "CalendarDate", "CaseIterable", "Calculated", "Computed",
        "DateTimeOffset", "Double", "Duration", "EdmDecimal", "Entity", "Equatable", "Float", "GUID", "HasMany",
        "Hashable", "Immutable", "Int", "Int16", "Int32", "Int64", "Int8", "Key", "LocalOnly", "MaxLength", "Name",
        "OnConflict",
        "Optional", "Pattern", "Precision", "PropertyValue", "Protocol", "Queryable", "Range", "RawRepresentable",
        "ReadOnly", "Reference", "Renamed", "Self", "Sendable", "String", "Swift", "Tideline", "TimeOfDay", "Type",
        "UInt8", "Unique", "Untracked", "Never", "Void", "Sequence", "Result", "Error", "Task", "Character", "Set",
        "Dictionary", "Term", "Condition", "Query", "Value",
    ]
}
