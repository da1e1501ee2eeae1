// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// One snapshot of a store: what ``StoreReader`` asks, answered from one version.
struct MemoryReader: StoreReader {
    let relations: MemoryRelations
    let hasher: ETagHasher
    /// Changes of the transaction that asks, not yet in the log.
    var pending: [LogEntry] = []

    private var schema: MemorySchema { relations.schema }
    private var version: MemoryVersion { relations.version }

    func read(_ plan: ReadPlan, into sink: any RowSink) throws -> PageEnd {
        try PlanEvaluator(relations: relations, hasher: hasher).page(plan, into: sink)
    }

    func count(_ plan: ReadPlan) throws -> Int {
        try PlanEvaluator(relations: relations, hasher: hasher).count(plan)
    }

    func aggregate(_ plan: AggregationPlan, into sink: any RowSink) throws -> Int {
        try AggregationEvaluator(relations: relations, plan: plan).run(into: sink)
    }

    func entity(_ key: Key, in set: EntitySet) throws -> StoredEntity? {
        guard let values = try relations.row(key, of: schema.place(of: set)) else { return nil }
        return StoredEntity(values: values, etag: hasher.etag(of: values))
    }

    func satisfies(_ condition: TypedExpression, key: Key, in set: EntitySet, user: UserContext) throws -> Bool {
        let place = try schema.place(of: set)
        guard let values = try relations.row(key, of: place) else { return false }
        return try relations.evaluator(relations.source(place, user: user)(values), user).isTrue(condition)
    }

    func position() throws -> FeedPosition { version.log.position }

    func publicationKey() throws -> [UInt8]? { version.publication }

    @discardableResult
    func changes(_ query: ChangeQuery, _ receive: (ChangedKey) throws -> Void) throws -> FeedPosition? {
        let place = try schema.place(of: query.set)
        guard schema.rules.views[query.set.names.wire] == nil else {
            throw StorageError(
                .unsupported,
                set: query.set.names.wire,
                message: "Changes of \(query.set.names.wire) are not captured; it is compared as a whole."
            )
        }
        return try ChangeLister(log: version.log, pending: pending).changes(query, of: place, receive)
    }

    func changedSets(since position: FeedPosition) throws -> Set<String> {
        let sets = try ChangeLister(log: version.log, pending: pending).sets(since: position)
        return Set(sets.map { schema.model.sets[$0].names.wire })
    }

    func isChanged(
        _ key: Key,
        in set: EntitySet,
        since position: FeedPosition,
        exceptBy client: String
    ) throws -> Bool {
        let place = try schema.place(of: set)
        guard try relations.row(key, of: place) != nil else { return true }
        let seen: Int
        do { seen = try version.log.entries(seenBy: position) } catch is StorageError { return true }
        let entries = (seen..<version.log.end).lazy.map { version.log[$0] }
        return entries.contains { $0.set == place && $0.key == key && $0.author != client }
            || pending.contains { $0.set == place && $0.key == key }
    }

    func conflicts(_ query: ConflictQuery) throws -> [LoggedConflict] {
        let found = version.conflicts.reversed().lazy.filter { conflict in
            (query.id ?? conflict.id) == conflict.id
                && query.openOf.map { conflict.isOpen && conflict.client == $0 } ?? true
                && query.rows.map { conflict.set == $0.set && $0.keys.contains(conflict.key) } ?? true
        }
        return Array(found.prefix(query.limit))
    }

    func mark(client: String) throws -> ClientMark? { version.marks[client] }

    func answer(client: String, request: String) throws -> KeptAnswer? {
        version.answers[.init(client: client, request: request)]?.answer
    }
}
