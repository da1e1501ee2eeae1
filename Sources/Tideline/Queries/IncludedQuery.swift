// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore

/// A query for entities together with what they are related to, read in one snapshot.
///
///     let rows = try store.fetch(
///         Order.all.including(.many { $0.lines }, .one(Client.self) { $0.client })
///     )                                                                           // [(Order, [OrderLine], Client?)]
public struct IncludedQuery<Row: Sendable>: Sendable {
    /// The plan over a model, with its expansions.
    let plan: @Sendable (EntityModel) throws -> ReadPlan
    /// The request to a service.
    let request: @Sendable () throws -> ServiceRequest
    let read: @Sendable (ExpandedRow) throws -> Row
}

/// Related entities to read together with those of a query.
public struct Inclusion<Parent: Queryable, Content: Sendable>: Sendable {
    /// The navigation property on the wire.
    let navigation: String
    let plan: @Sendable (EntityModel) throws -> ReadPlan
    let request: @Sendable () throws -> ServiceRequest
    let read: @Sendable ([ExpandedRow]) throws -> Content

    private init<Child: Queryable>(
        _ path: [String],
        _ query: Query<Child>,
        _ read: @escaping @Sendable ([Child]) -> Content
    ) {
        precondition(path.count == 1, "What is included is related to the entity itself.")
        navigation = path[0]
        plan = { try query.plan(over: $0) }
        request = { try query.request() }
        self.read = { rows in
            let decoder = EntityDecoder<Child>()
            return read(try rows.map { try decoder.entity($0) })
        }
    }

    /// The many that a `@HasMany` leads to.
    ///
    /// - Parameters:
    ///   - query: which of them, in what order, and how many of them for each parent.
    ///   - path: the collection.
    public static func many<Child: Queryable>(
        _ query: Query<Child> = Child.all,
        _ path: (Parent.Columns) -> Related<Child>
    ) -> Inclusion<Parent, [Child]> where Content == [Child] {
        Inclusion(path(Parent.Columns(navigationPath: [])).path, query) { $0 }
    }

    /// The one that a `@Reference` leads to, `nil` where there is none.
    ///
    /// - Parameters:
    ///   - type: the entity that is referred to.
    ///   - path: the reference.
    public static func one<Child: Queryable>(
        _ type: Child.Type,
        _ path: (Parent.Columns) -> Child.Columns
    ) -> Inclusion<Parent, Child?> where Content == Child? {
        Inclusion(path(Parent.Columns(navigationPath: [])).navigationPath, Child.all) { $0.first }
    }

    func expansion(of set: EntitySet, in model: EntityModel) throws -> ReadPlan.Expansion {
        guard let place = set.type.navigationIndex(wire: navigation) else {
            throw LocalStoreError(
                .unknownProperty,
                set: set.names.wire,
                properties: [navigation],
                message: "\(set.names.wire) has no relationship \(navigation), which \(Parent.self) has."
            )
        }
        return ReadPlan.Expansion(navigation: place, plan: try plan(model))
    }
}

extension Query {
    /// The entities of the query together with what they are related to: one tuple for each.
    public func including<each Content: Sendable>(
        _ children: repeat Inclusion<Result, each Content>
    ) -> IncludedQuery<(Result, repeat each Content)> {
        IncludedQuery(
            plan: { model in
                let model = Result.calculating(model)
                var plan = try plan(over: model)
                for child in repeat each children {
                    plan.expansions.append(try child.expansion(of: plan.set, in: model))
                }
                return plan
            },
            request: {
                var request = try request()
                for child in repeat each children { try request.expand(child.navigation, child.request()) }
                return request
            },
            read: { row in
                let parent = try EntityDecoder<Result>().entity(row)
                return (parent, repeat try (each children).read(row.related[(each children).navigation]?.rows ?? []))
            }
        )
    }
}

/// Reads entities from rows by name.
struct EntityDecoder<Element: Queryable> {
    private let decoder = Element.decoder
    private let properties = Element.entityDescription.properties.map(\.property)
    private let calculated = Element.calculatedNames

    func entity(_ row: ExpandedRow) throws -> Element {
        // What stays on the device is not in the answer of a service: a new entity has its default there.
        let values = properties.map { row.values[$0.names.wire] ?? $0.defaultValue ?? .null }
        return try decoder.decode(values + calculated.map { row.values[$0] ?? .null }) { try Element(row: &$0) }
    }
}
