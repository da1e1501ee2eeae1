// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Collations: what a value is compared by.
extension SQLCompiler {
    /// A stored column as it compares.
    func collated(_ column: SQLFragment, _ property: Property, isEquality: Bool = false) -> SQLFragment {
        switch (property.type, property.storage) {
        case (.string, _), (_, .memberName): isEquality ? dialect.equalText(column) : dialect.binaryText(column)
        case (.decimal, .decimalText): dialect.decimalText(column)
        default: column
        }
    }

    /// A computed value as it compares.
    func comparable(_ operand: SQLOperand) -> SQLOperand {
        var operand = operand
        switch operand.type {
        case .string, .date, .dateTimeOffset: operand.sql = dialect.binaryText(operand.sql)
        case .decimal: operand.sql = dialect.decimalText(operand.sql)
        default: break
        }
        return operand
    }
}
