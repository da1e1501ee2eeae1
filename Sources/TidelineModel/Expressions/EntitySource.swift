// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The values of one entity in memory, and the way to those that it refers to.
public struct EntitySource: PropertySource {
    /// The values, in the order of the entity type's properties.
    public var values: [Value]
    /// Who asks, for the guards of paths.
    public var user: UserContext
    private let related: (@Sendable (_ navigation: Int, _ values: [Value]) throws -> EntitySource?)?
    private let collection: (@Sendable (_ navigation: Int, _ values: [Value]) throws -> [Linked])?
    private let all: (@Sendable (_ set: String) throws -> [EntitySource])?

    /// An entity that a navigation property leads to, with the link row between where it is many-to-many.
    public struct Linked {
        public var entity: EntitySource
        public var link: EntitySource?

        public init(_ entity: EntitySource, link: EntitySource? = nil) {
            self.entity = entity
            self.link = link
        }
    }

    /// - Parameters:
    ///   - related: finds the entity that a navigation property leads to, `nil` when there is none; without it every path
    ///     over navigation properties is null.
    ///   - collection: finds the entities that a collection-valued navigation property leads to.
    ///   - all: finds all entities of a set.
    public init(
        _ values: [Value],
        user: UserContext = .anonymous,
        related: (@Sendable (_ navigation: Int, _ values: [Value]) throws -> EntitySource?)? = nil,
        collection: (@Sendable (_ navigation: Int, _ values: [Value]) throws -> [Linked])? = nil,
        all: (@Sendable (_ set: String) throws -> [EntitySource])? = nil
    ) {
        self.values = values
        self.user = user
        self.related = related
        self.collection = collection
        self.all = all
    }

    public func value(at path: TypedExpression.Path) throws -> Value {
        var entity = self
        for (step, navigation) in path.navigations.enumerated() {
            guard let next = try entity.related?(navigation, entity.values), try next.satisfies(path.guards, step, user)
            else { return .null }
            entity = next
        }
        return entity.values[path.property]
    }

    public func entities(at way: TypedExpression.Way) throws -> [any PropertySource] {
        var entities = [self]
        for (step, navigation) in way.navigations.enumerated() {
            var next: [EntitySource] = []
            for entity in entities {
                for linked in try entity.linked(navigation) {
                    guard try linked.link?.satisfies(way.linkGuards, step, user) ?? true,
                        try linked.entity.satisfies(way.guards, step, user)
                    else { continue }
                    next.append(linked.entity)
                }
            }
            entities = next
        }
        return entities
    }

    public func entities(of set: String) throws -> [any PropertySource] {
        if let all { return try all(set) }
        throw ExpressionError(
            .unsupported,
            message: "Other entities cannot be looked at where only single rows are at hand."
        )
    }

    private func linked(_ navigation: Int) throws -> [Linked] {
        if let collection { return try collection(navigation, values) }
        throw ExpressionError(
            .unsupported,
            message: "Collections of entities cannot be looked at where only single rows are at hand."
        )
    }

    private func satisfies(_ guards: [TypedExpression?], _ step: Int, _ user: UserContext) throws -> Bool {
        guard step < guards.count, let condition = guards[step] else { return true }
        return try ExpressionEvaluator(source: self, user: user).isTrue(condition)
    }
}
