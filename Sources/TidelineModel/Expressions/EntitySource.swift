// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The values of one entity in memory, and the way to those that it refers to.
public struct EntitySource: PropertySource {
    /// The values, in the order of the entity type's properties.
    public var values: [Value]
    /// Who asks, for the guards of paths.
    public var user: UserContext
    private let related: (@Sendable (_ navigation: Int, _ values: [Value]) throws -> EntitySource?)?

    /// - Parameter related: finds the entity that a navigation property leads to, `nil` when there is none; without it
    ///   every path over navigation properties is null.
    public init(
        _ values: [Value],
        user: UserContext = .anonymous,
        related: (@Sendable (_ navigation: Int, _ values: [Value]) throws -> EntitySource?)? = nil
    ) {
        self.values = values
        self.user = user
        self.related = related
    }

    public func value(at path: TypedExpression.Path) throws -> Value {
        var entity = self
        for (step, navigation) in path.navigations.enumerated() {
            guard let next = try entity.related?(navigation, entity.values) else { return .null }
            if step < path.guards.count, let condition = path.guards[step],
                try !ExpressionEvaluator(source: next, user: user).isTrue(condition)
            {
                return .null
            }
            entity = next
        }
        return entity.values[path.property]
    }
}
