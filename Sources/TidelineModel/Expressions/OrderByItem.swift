// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One item of `$orderby`: an expression and its direction.
public struct OrderByItem: Hashable, Sendable {
    public var expression: Expression
    public var isDescending: Bool

    public init(_ expression: Expression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}
