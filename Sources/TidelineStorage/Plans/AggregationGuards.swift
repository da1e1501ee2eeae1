// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What keeps the expressions of an aggregation behind the policies.
public struct AggregationGuards {
    /// Puts the paths of an expression over entities of these sets, the last the innermost scope, behind the policies.
    public var guarded: (TypedExpression, [EntitySet]) -> TypedExpression
    /// What the policies leave of a set's entities, and of those what is asked for; `nil` for all of them.
    public var visible: (EntitySet, TypedExpression?) -> TypedExpression?

    /// Where everything can be seen.
    public static var none: AggregationGuards { AggregationGuards(guarded: { value, _ in value }, visible: { $1 }) }

    public init(
        guarded: @escaping (TypedExpression, [EntitySet]) -> TypedExpression,
        visible: @escaping (EntitySet, TypedExpression?) -> TypedExpression?
    ) {
        self.guarded = guarded
        self.visible = visible
    }
}
