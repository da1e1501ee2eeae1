// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// JSON text made by hand: one object a line.
enum JSONText {
    /// A string in quotation marks, escaped.
    ///
    /// Source: RFC 8259, section 7.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// An object of fields in their order.
    static func object(_ fields: [(String, Output.Cell)]) -> String {
        "{" + fields.map { string($0) + ":" + $1.json }.joined(separator: ",") + "}"
    }

    /// An array of texts.
    static func array(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ",") + "]" }
}
