// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value in a column: what expressions look into.
///
/// Numbers keep their text, so that decimals stay exact.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Reads a text; `nil` when it is no JSON or nests deeper than 100 levels.
    package init?(_ text: String) {
        var cursor = JSONCursor(text)
        guard let value = cursor.document() else { return nil }
        self = value
    }

    /// The value at the end of a path of member names; null where a member is absent, or its owner is no object.
    ///
    /// Of several members of one name the last counts, as in JavaScript and PostgreSQL.
    package func member(_ names: some Sequence<String>) -> JSONValue {
        var value = self
        for name in names {
            guard case .object(let members) = value,
                let member = members.last(where: { $0.name.utf8.elementsEqual(name.utf8) })
            else { return .null }
            value = member.value
        }
        return value
    }

    /// The value as one of a type; null where it has another form.
    package func value(as type: PrimitiveType) -> Value {
        switch self {
        case .null, .array, .object: return .null
        case .boolean(let value): return type == .boolean ? .boolean(value) : .null
        case .number(let text):
            guard type.isNumeric else { return .null }
            if let value = Value(text: text, as: type) { return value }
            // 5.0 and 5e0 are integers too.
            guard let decimal = Value(text: text, as: .double), case .double(let number) = decimal else { return .null }
            if type.integerRange != nil {
                guard let whole = Int64(exactly: number), type.integerRange?.contains(whole) == true else {
                    return .null
                }
                return .integer(whole)
            }
            return type == .decimal ? EdmDecimal(shortest: number).map(Value.decimal) ?? .null : .null
        case .string(let text):
            if type == .string { return .string(text) }
            return type == .boolean ? .null : Value(text: text, as: type) ?? .null
        }
    }

    /// The compact text.
    package var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): JSONValue.quoted(text)
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    /// The value as a person reads it: a text without quotation marks, an array as its items with commas between.
    ///
    /// Objects stand as JSON. Different values may read the same.
    package var plain: String {
        switch self {
        case .string(let text): text
        case .array(let items): items.map(\.plain).joined(separator: ", ")
        case .null, .boolean, .number, .object: text
        }
    }

    /// The items of an array; none for anything else.
    package var items: [JSONValue] {
        if case .array(let items) = self { items } else { [] }
    }

    /// The item at a place of an array, counted from zero, or from the end when negative; null where there is none.
    package func item(at place: Int) -> JSONValue {
        let items = items
        let index = place < 0 ? items.count + place : place
        return items.indices.contains(index) ? items[index] : .null
    }

    /// A constant as an item of an array.
    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .number(String(number))
        case .double(let number) where number.isFinite: self = .number(value.text ?? "\(number)")
        case .decimal(let number): self = .number(number.text)
        default: self = .string(value.text ?? "")
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
