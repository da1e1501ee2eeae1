// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes JSON that a URL has as an expression as JSON again.
enum ParameterJSON {
    /// - Parameter name: the parameter that the value is for.
    /// - Throws: `InvalidValue` for an expression that is no constant.
    static func write(_ expression: Expression, of name: String) throws(ODataError) -> [UInt8] {
        let output = ByteWriter()
        try write(expression, of: name, to: output)
        return output.bytes
    }

    private static func write(_ expression: Expression, of name: String, to output: ByteWriter) throws(ODataError) {
        switch expression {
        case .literal(let value):
            switch value {
            case .null, .boolean, .integer, .double, .decimal:
                output.append(value: value, type: .double, format: JSONFormat(version: .v401))
            default: output.appendQuoted(value.text ?? "")
            }
        case .enumeration(_, let members): output.appendQuoted(members)
        case .list(let items):
            output.append("[")
            for (place, item) in items.enumerated() {
                if place > 0 { output.append(",") }
                try write(item, of: name, to: output)
            }
            output.append("]")
        case .object(let members):
            output.append("{")
            for (place, member) in members.enumerated() {
                if place > 0 { output.append(",") }
                output.appendQuoted(member.name)
                output.append(":")
                try write(member.value, of: name, to: output)
            }
            output.append("}")
        default: throw ODataError(.invalidValue, "The value of \(name) has what is no constant.", target: name)
        }
    }
}
