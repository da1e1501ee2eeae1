// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Not-a-number in comparisons, which is equal to nothing and in no order, where the database has it greater than all
/// numbers and equal to itself.
extension SQLCompiler {
    /// A floating-point number that is null where it is not a number.
    func number(_ operand: SQLOperand, _ notANumber: SQLFragment) -> SQLOperand {
        guard operand.holdsNaN else { return operand }
        var result = operand
        result.sql = "NULLIF(\(operand.sql), \(notANumber))"
        result.isNullable = true
        return result
    }

    /// `first eq second` of floating-point numbers, each of which may be not-a-number.
    func equality(
        _ first: SQLOperand,
        _ second: SQLOperand,
        _ notANumber: SQLFragment,
        negated: Bool,
        exact: Bool
    ) -> SQLCondition {
        let isNullable = first.isNullable || second.isNullable
        if !isNullable || !negated && !exact && !(first.isNullable && second.isNullable) {
            let plain: SQLFragment = "(\(first.sql) = \(second.sql) AND \(first.sql) <> \(notANumber))"
            return settled(
                SQLCondition(plain, isNullable: isNullable, isAtom: true),
                negated: negated,
                exact: exact
            )
        }
        let (same, isNumber) = (dialect.same(first.sql, second.sql), dialect.different(first.sql, notANumber))
        return settled(SQLCondition("(\(same) AND \(isNumber))", isAtom: true), negated: negated, exact: exact)
    }
}
