// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of expressions: checked, null where a result leaves its type.
///
/// Compiled SQL calls the same code.
package enum Arithmetic {
    /// `left op right`; null for a null operand.
    static func apply(_ name: Expression.BinaryOperator, _ left: Value, _ right: Value, type: PrimitiveType?) -> Value {
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            if name == .divby {
                let quotient = EdmDecimal(coefficient: Int128(left)) / EdmDecimal(coefficient: Int128(right))
                return quotient.map(Value.decimal) ?? .null
            }
            return integers(name, left, right).map(Value.integer) ?? .null
        case (.decimal(let left), .decimal(let right)): return decimals(name, left, right).map(Value.decimal) ?? .null
        case (.double(let left), .double(let right)): return doubles(name, left, right).map(Value.double) ?? .null
        case (.duration(let left), .duration(let right)):
            guard let left = left.nanoseconds, let right = right.nanoseconds else { return .null }
            return integers(name, left, right).map { .duration(.nanoseconds($0)) } ?? .null
        case (.duration(let duration), .decimal(let factor)):
            guard let nanoseconds = duration.nanoseconds else { return .null }
            return scaled(name, nanoseconds, factor).map { .duration(.nanoseconds($0)) } ?? .null
        case (.dateTimeOffset(let moment), .duration(let step)):
            return shifted(moment, step, name).map(Value.dateTimeOffset) ?? .null
        case (.date(let date), .duration(let step)):
            return shifted(DateTimeOffset(date: date), step, name).map { .date($0.date) } ?? .null
        case (.dateTimeOffset(let left), .dateTimeOffset(let right)):
            return nanoseconds(from: right, to: left).map { .duration(.nanoseconds($0)) } ?? .null
        case (.date(let left), .date(let right)):
            return nanoseconds(from: DateTimeOffset(date: right), to: DateTimeOffset(date: left))
                .map { .duration(.nanoseconds($0)) } ?? .null
        default: return .null
        }
    }

    /// `-value`.
    static func negate(_ value: Value) -> Value {
        switch value {
        case .integer(let number): integers(.sub, 0, number).map(Value.integer) ?? .null
        case .decimal(let number): .decimal(-number)
        case .double(let number): .double(-number)
        case .duration(let duration): .duration(.zero - duration)
        default: .null
        }
    }

    /// 64-bit integers; division cuts towards zero and the remainder has the sign of `left`.
    package static func integers(_ name: Expression.BinaryOperator, _ left: Int64, _ right: Int64) -> Int64? {
        let (value, overflow): (Int64, Bool)
        switch name {
        case .add: (value, overflow) = left.addingReportingOverflow(right)
        case .sub: (value, overflow) = left.subtractingReportingOverflow(right)
        case .mul: (value, overflow) = left.multipliedReportingOverflow(by: right)
        case .div: (value, overflow) = left.dividedReportingOverflow(by: right)
        default:
            // The least number has remainder 0 by -1, though the processor calls it an overflow.
            guard right != -1 else { return 0 }
            (value, overflow) = left.remainderReportingOverflow(dividingBy: right)
        }
        return overflow ? nil : value
    }

    package static func decimals(
        _ name: Expression.BinaryOperator,
        _ left: EdmDecimal,
        _ right: EdmDecimal
    ) -> EdmDecimal? {
        switch name {
        case .add: left + right
        case .sub: left - right
        case .mul: left * right
        case .mod: left % right
        default: left / right
        }
    }

    /// Nanoseconds times or divided by a number, half away from zero; `nil` beyond 292 years, or divided by zero.
    package static func scaled(
        _ name: Expression.BinaryOperator,
        _ nanoseconds: Int64,
        _ factor: EdmDecimal
    ) -> Int64? {
        let number = EdmDecimal(coefficient: Int128(nanoseconds))
        let result = name == .mul ? number * factor : number / factor
        return result?.rounded().coefficient(atScale: 0).flatMap { Int64(exactly: $0) }
    }

    /// Floating-point numbers as IEEE 754 has them, infinity by zero; null for what is not a number, which no SQL holds.
    package static func doubles(_ name: Expression.BinaryOperator, _ left: Double, _ right: Double) -> Double? {
        let value: Double
        switch name {
        case .add: value = left + right
        case .sub: value = left - right
        case .mul: value = left * right
        case .mod: value = left.truncatingRemainder(dividingBy: right)
        default: value = left / right
        }
        return value.isNaN ? nil : value
    }

    /// A moment moved by a duration; `nil` outside the years 0 to 9999.
    package static func shifted(_ moment: DateTimeOffset, nanoseconds: Int64) -> DateTimeOffset? {
        var seconds = moment.seconds.addingReportingOverflow(nanoseconds / 1_000_000_000)
        var rest = Int64(moment.nanoseconds) + nanoseconds % 1_000_000_000
        if rest < 0 {
            rest += 1_000_000_000
            seconds = seconds.partialValue.subtractingReportingOverflow(1)
        } else if rest >= 1_000_000_000 {
            rest -= 1_000_000_000
            seconds = seconds.partialValue.addingReportingOverflow(1)
        }
        guard !seconds.overflow, (-62_167_219_200...253_402_300_799).contains(seconds.partialValue) else { return nil }
        return DateTimeOffset(seconds: seconds.partialValue, nanoseconds: Int32(rest))
    }

    private static func shifted(
        _ moment: DateTimeOffset,
        _ step: Duration,
        _ name: Expression.BinaryOperator
    ) -> DateTimeOffset? {
        guard let nanoseconds = step.nanoseconds,
            let signed = name == .sub ? integers(.sub, 0, nanoseconds) : nanoseconds
        else { return nil }
        return shifted(moment, nanoseconds: signed)
    }

    /// The time between two moments; `nil` beyond 292 years.
    package static func nanoseconds(from start: DateTimeOffset, to end: DateTimeOffset) -> Int64? {
        let seconds = end.seconds - start.seconds
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooMuch) = scaled.addingReportingOverflow(Int64(end.nanoseconds) - Int64(start.nanoseconds))
        return overflow || tooMuch ? nil : sum
    }
}
