// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension SQLCompiler {
    /// Compiles a call of a canonical function with a result other than Boolean.
    mutating func call(
        _ function: Expression.Function,
        _ arguments: [TypedExpression],
        type: PrimitiveType,
        in scope: Scope
    ) -> SQLOperand {
        if let part = clockPart(function, arguments, in: scope) { return part }
        var operands: [SQLOperand] = []
        for argument in arguments { operands.append(computed(argument, in: scope)) }
        let values = operands.map(\.sql)
        let isNullable = operands.contains(where: \.isNullable) || function.hasNulls
        guard let first = operands.first else {
            return SQLOperand(constantCall(function), type: type, isNullable: false)
        }
        let sql: SQLFragment
        switch function {
        case .concat: sql = "(\(SQLFragment(values, separator: " || ")))"
        case .indexof: sql = "(\(dialect.place(of: values[1], in: values[0])) - 1)"
        case .length: sql = dialect.call(.length, values)
        case .substring: sql = dialect.call(.substring, values)
        case .tolower: sql = dialect.call(.lower, values)
        case .toupper: sql = dialect.call(.upper, values)
        case .trim: sql = dialect.call(.trim, values)
        case .round: sql = rounded(first, .round, .decimalRound)
        case .floor: sql = rounded(first, .floor, .decimalFloor)
        case .ceiling: sql = rounded(first, .ceiling, .decimalCeiling)
        case .date: sql = "substr(\(first.sql), 1, 10)"
        case .time: sql = dialect.call(.time, ["substr(\(first.sql), 12, 18)"])
        case .totaloffsetminutes: sql = "(CASE WHEN \(first.sql) IS NOT NULL THEN 0 END)"
        case .geoDistance: sql = dialect.call(.geoDistance, shapes(arguments, in: scope))
        case .geoLength: sql = dialect.call(.geoLength, shapes(arguments, in: scope))
        case .totalseconds: sql = dialect.call(.decimalScaled, [first.sql, "9"])
        default: sql = "NULL"
        }
        return SQLOperand(sql, type: type, isNullable: isNullable)
    }

    private func constantCall(_ function: Expression.Function) -> SQLFragment {
        switch function {
        case .now: dialect.now
        case .mindatetime: SQLFragment(bind: .text(DateTimeOffset.earliest.computedText))
        default: SQLFragment(bind: .text(DateTimeOffset.latest.computedText))
        }
    }

    private func rounded(_ operand: SQLOperand, _ real: SQLFunction, _ decimal: SQLFunction) -> SQLFragment {
        switch operand.type {
        case .double, .single: dialect.call(real, [operand.sql])
        case .decimal: dialect.call(decimal, [operand.sql])
        default: operand.sql
        }
    }

    /// The parts of dates and times; `nil` for another function.
    private mutating func clockPart(
        _ function: Expression.Function,
        _ arguments: [TypedExpression],
        in scope: Scope
    ) -> SQLOperand? {
        guard let argument = arguments.first, let (start, length) = function.clockPlace else { return nil }
        if argument.type == .timeOfDay { return timePart(function, computed(argument, in: scope)) }
        let stored = operand(argument, in: scope)
        if case .stored(let column) = stored.form,
            let part = dialect.clockPart(function, of: stored.sql, column.property)
        {
            return SQLOperand(part, type: .int32, isNullable: stored.isNullable)
        }
        let text = computed(stored)
        let part: SQLFragment = "substr(\(text.sql), \(raw: "\(start), \(length)"))"
        return function == .fractionalseconds
            ? SQLOperand(dialect.call(.decimal, ["'0.' || \(part)"]), type: .decimal, isNullable: text.isNullable)
            : SQLOperand(dialect.integer(part), type: .int32, isNullable: text.isNullable)
    }

    private func timePart(_ function: Expression.Function, _ time: SQLOperand) -> SQLOperand {
        let nanoseconds = time.sql
        switch function {
        case .hour: return SQLOperand("(\(nanoseconds) / 3600000000000)", type: .int32, isNullable: time.isNullable)
        case .minute:
            return SQLOperand("(\(nanoseconds) / 60000000000 % 60)", type: .int32, isNullable: time.isNullable)
        case .second: return SQLOperand("(\(nanoseconds) / 1000000000 % 60)", type: .int32, isNullable: time.isNullable)
        default:
            let fraction = dialect.call(.decimalScaled, ["\(nanoseconds) % 1000000000", "9"])
            return SQLOperand(fraction, type: .decimal, isNullable: time.isNullable)
        }
    }
}

extension Expression.Function {
    /// Where the text of a moment has a part: its first character, from 1, and its length; `nil` for another function.
    var clockPlace: (start: Int, length: Int)? {
        switch self {
        case .year: (1, 4)
        case .month: (6, 2)
        case .day: (9, 2)
        case .hour: (12, 2)
        case .minute: (15, 2)
        case .second: (18, 2)
        case .fractionalseconds: (21, 9)
        default: nil
        }
    }
}
