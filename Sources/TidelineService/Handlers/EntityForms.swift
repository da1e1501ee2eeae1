// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// How the entities of a group are read and written: planned once for all of them that are asked for alike.
///
/// For one user and one thread, within one transaction.
final class EntityForms {
    /// What makes entities alike.
    private struct Wish: Hashable {
        var set: String
        var derivedType: String?
        var options: QueryOptions
        var format: JSONFormat
        var paging: Planner.Paging
    }

    private var known: [(wish: Wish, query: Query, writer: JSONEntityWriter)] = []

    /// The query of an entity and a writer for it.
    ///
    /// - Parameters:
    ///   - options: what is asked of it.
    ///   - paging: how what stands in it may be cut.
    ///   - core: signs the links in it.
    ///   - plan: plans the query of any entity of the set.
    func form(
        of entity: Resource.Entity,
        _ options: QueryOptions,
        _ format: JSONFormat,
        _ paging: Planner.Paging,
        _ core: Core,
        plan: () throws -> Query
    ) throws -> (query: Query, writer: JSONEntityWriter) {
        // These stand in the shape of the rows.
        guard entity.singleton == nil, entity.containedIn == nil, entity.standsAt == nil else {
            return Self.made(try plan(), entity, format, core)
        }
        let wish = Wish(
            set: entity.set.names.wire,
            derivedType: entity.derivedType,
            options: options,
            format: format,
            paging: paging
        )
        if let form = known.first(where: { $0.wish == wish }) {
            return (form.query.restricted(to: entity.condition), JSONEntityWriter(like: form.writer))
        }
        let (query, writer) = Self.made(try plan(), entity, format, core)
        known.append((wish, query, writer))
        return (query.restricted(to: entity.condition), JSONEntityWriter(like: writer))
    }

    private static func made(
        _ planned: Query,
        _ entity: Resource.Entity,
        _ format: JSONFormat,
        _ core: Core
    ) -> (query: Query, writer: JSONEntityWriter) {
        var query = planned.restricted(to: entity.condition)
        query.plan.pageLimit = .unlimited
        query.plan.top = 1
        query.shape.singleton = entity.singleton
        query.shape.containedIn = entity.containedIn
        query.shape.standsAt = entity.standsAt
        let writer = JSONEntityWriter(shape: query.shape, format: format, type: entity.set.type)
        query.prepare(writer, core)
        return (query, writer)
    }
}
