// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One save of a context, carried out in one transaction of the store.
///
///     check all that was read  →  inserts, parents first  →  updates  →  deletes  →  what takes a deleted one's key
///
/// Nothing of the context changes before the commit.
struct ContextSave {
    /// What the commit made of the objects.
    struct Outcome {
        /// The rows as they are stored now.
        var stored: [(row: ManagedRow, values: [Value])] = []
        var deleted: [ManagedRow] = []
        /// The keys that the store gave, by the provisional ones.
        var keys: [RowIdentity: [Value]] = [:]
    }

    private let context: EditingContext
    private let policy: MergePolicy
    private let inserts: [ManagedRow]
    private let updates: [ManagedRow]
    private let deletes: [ManagedRow]
    /// The new objects whose key the store gives.
    private let provisional: Set<RowIdentity>
    private(set) var outcome = Outcome()
    /// Foreign keys that could not be given with their insert: the other object came later.
    private var later: [(row: ManagedRow, key: Key, places: [Int])] = []
    /// What is written in place of an object's own values, where both sides changed it.
    private var merged: [ObjectIdentifier: [Int: Value]] = [:]

    init(_ context: EditingContext, _ policy: MergePolicy) {
        self.context = context
        self.policy = policy
        let rows = context.changedRows
        inserts = rows.filter { $0.presence == .new && $0.edit?.isNew != true }
        updates = rows.filter { $0.presence == .stored && $0.posted != $0.base }
        deletes = rows.filter { $0.presence == .deleted }
        provisional = Set(inserts.filter(\.hasProvisionalKey).compactMap(\.identity))
    }

    var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty }

    mutating func run(_ transaction: LocalTransaction) throws {
        let gone = try meetOthers(transaction)
        let freed = Set(deletes.compactMap(\.identity))
        let late = Set((inserts + updates).filter { $0.identity.map(freed.contains) == true || refers($0, to: freed) })
        let ordered = parentsFirst()
        for row in ordered where !late.contains(row) { try insert(row, transaction) }
        try fillIn(transaction)
        for row in updates where !gone.contains(row) && !late.contains(row) { try update(row, transaction) }
        for row in deletes where !gone.contains(row) { try transaction.delete(row.key, in: row.set.name) }
        for row in ordered where late.contains(row) { try insert(row, transaction) }
        try fillIn(transaction)
        for row in updates where !gone.contains(row) && late.contains(row) { try update(row, transaction) }
        outcome.deleted = deletes + updates.filter(gone.contains)
        for row in inserts + updates where !gone.contains(row) {
            guard let identity = row.identity else { continue }
            let key = outcome.keys[identity] ?? resolvedKey(row)
            guard let values = try transaction.connection.row(row.set.layout, key)?.values else { continue }
            outcome.stored.append((row, values))
        }
    }

    // MARK: What others did

    /// Compares what was read with what is there now.
    ///
    /// - Returns: the objects whose row is gone and that go with it.
    private mutating func meetOthers(_ transaction: LocalTransaction) throws -> Set<ManagedRow> {
        var conflicts: [StaleObject] = []
        var gone = Set<ManagedRow>()
        for row in updates + deletes {
            let now = try transaction.connection.row(row.set.layout, row.key.values)?.values
            guard let base = row.base, now != base else { continue }
            let isDeletion = row.presence == .deleted
            guard let now else {
                if isDeletion || policy == .preferTheirs {
                    gone.insert(row)
                } else {
                    conflicts.append(
                        StaleObject(row, base: base, theirs: nil, clashes: row.set.layout.names(row.dirtyPlaces))
                    )
                }
                continue
            }
            if isDeletion {
                if policy == .preferMine { continue }
                conflicts.append(StaleObject(row, base: base, theirs: now, clashes: []))
                continue
            }
            let touched = Set(row.posted.indices.filter { row.posted[$0] != base[$0] })
            let merge = ThreeWayMerge(
                base: base,
                mine: row.posted,
                theirs: now,
                touched: touched,
                decision: policy == .preferMine ? .mine : .theirs
            )
            let refuses = policy == .strict || policy == .byProperty && !merge.clashes.isEmpty
            if refuses {
                let names = row.set.layout.names(merge.clashes.map(\.property))
                conflicts.append(StaleObject(row, base: base, theirs: now, clashes: names))
            } else {
                merged[ObjectIdentifier(row)] = Dictionary(
                    merge.remaining.map { ($0, merge.values[$0]) },
                    uniquingKeysWith: { first, _ in first }
                )
            }
        }
        guard conflicts.isEmpty else { throw StaleObjectsError(objects: conflicts) }
        return gone
    }

    // MARK: Writing

    private mutating func insert(_ row: ManagedRow, _ transaction: LocalTransaction) throws {
        var values = resolved(row)
        let waiting = open(values, row)
        for place in waiting { values[place] = .null }
        var named: [String: Value] = [:]
        for column in row.set.layout.columns where !column.isMade {
            let value = values[column.place]
            if row.given.contains(column.place) || value != column.property.defaultValue ?? .null {
                named[column.property.names.wire] = value
            }
        }
        let key = try transaction.insert(named, into: row.set.name)
        if let identity = row.identity, row.hasProvisionalKey || identity.key != key.values {
            outcome.keys[identity] = key.values
        }
        if !waiting.isEmpty { later.append((row, key, waiting)) }
    }

    /// Gives inserted rows the foreign keys of what was inserted after them.
    private mutating func fillIn(_ transaction: LocalTransaction) throws {
        for entry in later {
            let values = resolved(entry.row)
            var named: [String: Value] = [:]
            for place in entry.places { named[entry.row.set.layout.names([place])[0]] = values[place] }
            try transaction.update(entry.key, named, in: entry.row.set.name)
        }
        later = []
    }

    private func update(_ row: ManagedRow, _ transaction: LocalTransaction) throws {
        let values = resolved(row)
        var named: [String: Value] = [:]
        if let places = merged[ObjectIdentifier(row)] {
            for (place, value) in places {
                named[row.set.layout.names([place])[0]] = value == row.posted[place] ? values[place] : value
            }
        } else {
            for place in values.indices where values[place] != row.base?[place] {
                named[row.set.layout.names([place])[0]] = values[place]
            }
        }
        guard !named.isEmpty else { return }
        try transaction.update(row.key, named, in: row.set.name)
    }

    // MARK: Keys

    private func resolved(_ row: ManagedRow) -> [Value] {
        context.renamed(row.posted, row.set, outcome.keys, false) ?? row.posted
    }

    private func resolvedKey(_ row: ManagedRow) -> [Value] {
        let values = resolved(row)
        return row.set.layout.key.map { values[$0] }
    }

    /// The places of foreign keys that mean new objects whose key is not known yet.
    private func open(_ values: [Value], _ row: ManagedRow) -> [Int] {
        row.set.layout.outgoing.filter { reference in
            guard let parent = context.principal(of: values, reference) else { return false }
            return provisional.contains(parent) && outcome.keys[parent] == nil
        }.flatMap(\.childPlaces)
    }

    private func refers(_ row: ManagedRow, to identities: Set<RowIdentity>) -> Bool {
        guard !identities.isEmpty else { return false }
        return row.set.layout.outgoing.contains { reference in
            context.principal(of: row.posted, reference).map(identities.contains) == true
        }
    }

    /// The new objects, each after those that it refers to; those that refer to each other in a circle last.
    private func parentsFirst() -> [ManagedRow] {
        let known = Dictionary(
            inserts.compactMap { row in row.identity.map { ($0, row) } },
            uniquingKeysWith: { first, _ in first }
        )
        var waiting: [ManagedRow: Int] = [:]
        var dependents: [ManagedRow: [ManagedRow]] = [:]
        for row in inserts {
            for reference in row.set.layout.outgoing {
                guard let parent = context.principal(of: row.posted, reference).flatMap({ known[$0] }), parent !== row
                else { continue }
                waiting[row, default: 0] += 1
                dependents[parent, default: []].append(row)
            }
        }
        var ordered = inserts.filter { waiting[$0] == nil }
        var next = 0
        while next < ordered.count {
            for row in dependents[ordered[next]] ?? [] {
                waiting[row, default: 0] -= 1
                if waiting[row] == 0 { ordered.append(row) }
            }
            next += 1
        }
        let placed = Set(ordered)
        return ordered + inserts.filter { !placed.contains($0) }
    }
}

extension StaleObject {
    init(_ row: ManagedRow, base: [Value], theirs: [Value]?, clashes: [String]) {
        self.init(
            set: row.set.name,
            key: row.key,
            base: row.set.named(base),
            mine: row.presence == .deleted ? nil : row.set.named(row.posted),
            theirs: theirs.map(row.set.named),
            clashes: clashes
        )
    }
}
