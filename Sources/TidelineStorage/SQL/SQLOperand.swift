// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A compiled value: its SQL and the form that its values have.
struct SQLOperand {
    enum Form {
        /// As a column holds it.
        case stored(StoredColumn)
        /// As ``SQLFunction`` says computed values are.
        case computed
    }

    var sql: SQLFragment
    var form: Form
    var type: PrimitiveType
    var isNullable: Bool
    /// Whether the value certainly fits 32 bits, so that one step of integer arithmetic cannot overflow.
    var isSmall = false
    /// Whether the value may be not-a-number, on a database that keeps it.
    var holdsNaN: Bool

    init(_ sql: SQLFragment, type: PrimitiveType, isNullable: Bool) {
        self.sql = sql
        form = .computed
        self.type = type
        self.isNullable = isNullable
        holdsNaN = type == .double || type == .single
    }

    init(column sql: SQLFragment, _ column: StoredColumn, isNullable: Bool) {
        self.sql = sql
        form = .stored(column)
        type = column.property.type
        self.isNullable = isNullable
        holdsNaN = type == .double || type == .single
        isSmall = (type.integerRange?.upperBound ?? .max) <= Int64(Int32.max)
    }

    /// A constant in the form of computed values.
    static func computed(_ value: Value) -> SQLValue {
        switch value {
        case .null: return .null
        case .boolean(let flag): return .integer(flag ? 1 : 0)
        case .integer(let number): return .integer(number)
        case .double(let number): return number.isNaN ? .null : .real(number)
        case .decimal(let number): return .text(number.text)
        case .string(let text): return .text(text)
        case .geography(let shape): return .text(shape.text)
        case .binary(let bytes): return .blob(bytes)
        case .guid(let guid): return .text(guid.text)
        case .date(let date): return .text(date.text)
        case .timeOfDay(let time): return .integer(time.nanoseconds)
        case .dateTimeOffset(let moment): return .text(moment.computedText)
        case .duration(let duration): return duration.nanoseconds.map(SQLValue.integer) ?? .null
        }
    }

    /// The value of a computed result.
    static func value(_ stored: SQLValue, type: PrimitiveType) -> Value? {
        switch (type, stored) {
        case (.timeOfDay, .integer(let nanoseconds)): .timeOfDay(TimeOfDay(nanoseconds: nanoseconds))
        case (.duration, .integer(let nanoseconds)): .duration(.nanoseconds(nanoseconds))
        case (.decimal, .real), (.double, .text): nil
        default:
            Property(names: Names(wire: ""), type: type).value(of: stored)
        }
    }
}

extension Value {
    /// The value in the form of computed values, see ``SQLFunction``.
    package var computedSQL: SQLValue { SQLOperand.computed(self) }

    var isNaN: Bool {
        guard case .double(let number) = self else { return false }
        return number.isNaN
    }

    /// The value of a computed result; `nil` when it has another form.
    package init?(computedSQL stored: SQLValue, type: PrimitiveType) {
        guard let value = SQLOperand.value(stored, type: type) else { return nil }
        self = value
    }
}

extension DateTimeOffset {
    /// The text of fixed width that computed moments have in SQL.
    package var computedText: String {
        var bytes: [UInt8] = []
        append(to: &bytes, fractionDigits: 9)
        return String(decoding: bytes, as: UTF8.self)
    }
}
