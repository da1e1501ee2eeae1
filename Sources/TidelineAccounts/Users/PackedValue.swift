// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The text in which a user's identifier and attributes are stored: the kind of a value, a colon, the value.
///
///     guid:6f9619ff-8b86-d011-b42d-00c04fc964ff     integer:42     string:north
enum PackedValue {
    static func pack(_ value: Value) -> String {
        switch value {
        case .integer(let number): "integer:\(number)"
        case .boolean(let flag): "boolean:\(flag)"
        case .guid(let guid): "guid:\(hexadecimal(guid.high))\(hexadecimal(guid.low))"
        case .string(let text): "string:\(text)"
        default: "null:"
        }
    }

    /// The value, null where the text is of no known kind.
    static func unpack(_ text: String) -> Value {
        guard let colon = text.firstIndex(of: ":") else { return .null }
        let rest = text[text.index(after: colon)...]
        switch text[..<colon] {
        case "integer": return Int64(rest).map(Value.integer) ?? .null
        case "boolean": return .boolean(rest == "true")
        case "string": return .string(String(rest))
        case "guid":
            guard rest.utf8.count == 32, let high = UInt64(rest.prefix(16), radix: 16),
                let low = UInt64(rest.suffix(16), radix: 16)
            else { return .null }
            return .guid(GUID(high: high, low: low))
        default: return .null
        }
    }

    /// One line for each value of each attribute: name, tab, packed value; tab, line break and backslash are escaped.
    static func pack(_ attributes: [String: [Value]]) -> String {
        attributes.sorted { $0.key < $1.key }
            .flatMap { name, values in values.map { "\(escape(name))\t\(escape(pack($0)))" } }
            .joined(separator: "\n")
    }

    static func unpackAttributes(_ text: String) -> [String: [Value]] {
        var attributes: [String: [Value]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2 else { continue }
            attributes[unescape(parts[0]), default: []].append(unpack(unescape(parts[1])))
        }
        return attributes
    }

    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func unescape(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.unicodeScalars.append(scalar == "t" ? "\t" : scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
