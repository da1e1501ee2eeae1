// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Writes an expression as OData text, the opposite of the parser.
public enum ExpressionPrinter {
    /// The text of an expression, with the parentheses that it needs and no others.
    public static func print(_ expression: Expression) -> String { "" }

    /// A literal as expressions and keys write it: `42`, `'A''B'`, `2026-01-01`, `duration'P1D'`.
    public static func literal(_ value: Value) -> String { "" }
}
