// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Term where Content == Bool {
    /// Whether both are true.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(.binary(.and, left.expression, right.expression))
    }

    /// Whether one of them is true, or both.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.binary(.or, left.expression, right.expression))
    }

    /// Whether it is false.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(.unary(.not, condition.expression))
    }
}
