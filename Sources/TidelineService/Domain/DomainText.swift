// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The parts of a domain's file, as text.
enum DomainText {
    /// The pairs of a property, in the order in which they are written.
    static func pairs(_ property: Property, of type: EntityType?) -> String {
        var pairs = ["name: \(quote(property.names.wire))"]
        if property.names.code != property.names.wire { pairs.append("code: \(quote(property.names.code))") }
        if property.names.database != property.names.wire { pairs.append("column: \(quote(property.names.database))") }
        if property.structure == nil { pairs.append("type: \(property.type.rawValue.dropFirst(4))") }
        if !property.isNullable { pairs.append("nullable: false") }
        if let length = property.maxLength { pairs.append("maxLength: \(length)") }
        if let precision = property.precision { pairs.append("precision: \(precision)") }
        if let scale = property.scale { pairs.append("scale: \(scale)") }
        if let value = property.defaultValue, !value.isNull {
            pairs.append("default: \(quote(value.text ?? "", isValue: true))")
        }
        if property.generation != .none { pairs.append("generated: \(property.generation.rawValue)") }
        if property.storage != .native { pairs.append("storage: \(property.storage.rawValue)") }
        pairs += features(property, of: type)
        return pairs.joined(separator: ", ")
    }

    /// The rules of a set.
    static func lines(_ rules: [EntityRule]) -> String {
        var text = rules.isEmpty ? "" : "    rules:\n"
        for rule in rules {
            var pairs = [
                "name: \(quote(rule.name))", "condition: \(quote(ExpressionPrinter.print(rule.condition)))",
                "message: \(quote(rule.message))",
            ]
            let properties = rule.properties.map { quote($0) }
            if !properties.isEmpty { pairs.append("properties: [\(properties.joined(separator: ", "))]") }
            text += "      - {\(pairs.joined(separator: ", "))}\n"
        }
        return text
    }

    /// A scalar as YAML reads it back: bare where nothing else can be meant, in double quotes otherwise.
    static func quote(_ text: String, isValue: Bool = false) -> String {
        let reserved: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        let isLetter = { (byte: UInt8) in byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F }
        let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
        let isMark = { (byte: UInt8) in byte == 0x2E || byte == 0x2F || byte == 0x2D }
        if let first = text.utf8.first, isLetter(first) || first == 0x2F || isValue && isDigit(first),
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || isMark($0) }), !reserved.contains(text.lowercased())
        {
            return text
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
