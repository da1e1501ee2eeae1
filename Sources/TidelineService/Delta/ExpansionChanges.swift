// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Which rows have other related entities, or related entities that look different, than at a position.
///
///     Clients?$expand=Orders    an order changed ──► the client that it belongs to, and the one that it belonged to
///
/// Found from what changed, never by looking at all rows: the cost is that of the changes and of the rows that they
/// concern. A change of a row at the end of a to-one way concerns every row that leads there.
struct ExpansionChanges {
    /// So many keys are looked for together.
    private static let chunk = 200

    let model: EntityModel
    let reader: any StoreReader
    let user: UserContext
    let since: FeedPosition

    /// The keys of the rows of a set of which an expansion changed.
    func owners(of expansions: [ReadPlan.Expansion], in set: EntitySet) throws -> Set<Key> {
        var owners: Set<Key> = []
        for expansion in expansions { owners.formUnion(try self.owners(of: expansion, in: set)) }
        return owners
    }

    private func owners(of expansion: ReadPlan.Expansion, in set: EntitySet) throws -> Set<Key> {
        let navigation = set.type.navigationProperties[expansion.navigation]
        let target = expansion.plan.set
        var rows = try states(of: target, expansion.plan.filter)
        for key in try owners(of: expansion.plan.expansions, in: target) {
            if let now = try shown(key, in: target, expansion.plan.filter) { rows.append(now) }
        }
        guard let link = expansion.link(of: set) else {
            return try keys(
                in: set,
                where: navigation.constraints.map { ($0.source, $0.target) },
                match: rows
            )
        }
        let toOwner = link.set.type.navigationProperties[link.toOwner]
        let toTarget = link.set.type.navigationProperties[link.toTarget]
        var links = try states(of: link.set, expansion.linkFilter)
        let ends = try self.rows(
            in: link.set,
            where: toTarget.constraints.map { ($0.source, $0.target) },
            match: rows,
            expansion.linkFilter
        )
        links += ends.map { row in row.map { $0 } }
        return try keys(in: set, where: toOwner.constraints.map { ($0.target, $0.source) }, match: links)
    }

    /// The rows of a set that changed, or that a condition sees with other eyes: as they were and as they are, where
    /// the condition lets them be seen.
    ///
    /// Of a change that was hidden before and after nothing is told, not even that something changed.
    private func states(of set: EntitySet, _ condition: TypedExpression?) throws -> [[Value?]] {
        let tracker = try ChangeTracker(
            model: model,
            reader: reader,
            set: set,
            filter: condition,
            user: user,
            since: since
        )
        var states: [[Value?]] = []
        func add(_ candidate: ChangeTracker.Candidate) throws {
            if let before = candidate.before, try tracker.visibility(before) != .hidden { states.append(before) }
            if let now = try shown(candidate.key, in: set, condition) { states.append(now) }
        }
        _ = try tracker.own(scope: nil, add)
        try tracker.fannedOut(add)
        return states
    }

    /// A row as it is, if it is there and a condition lets it be seen.
    private func shown(_ key: Key, in set: EntitySet, _ condition: TypedExpression?) throws -> [Value?]? {
        if let condition {
            guard try reader.satisfies(condition, key: key, in: set, user: user) else { return nil }
        }
        return try reader.entity(key, in: set)?.values.map { $0 }
    }

    /// The keys of the rows of a set whose values are those of other rows, by pairs of places: here, there.
    private func keys(
        in set: EntitySet,
        where pairs: [(here: Int, there: Int)],
        match others: [[Value?]]
    ) throws -> Set<Key> {
        let wanted = try values(pairs, of: others)
        if pairs.map(\.here) == set.type.key { return Set(wanted.map { Key($0) }) }
        return Set(try rows(in: set, pairs.map(\.here), are: wanted).map { row in Key(set.type.key.map { row[$0] }) })
    }

    private func rows(
        in set: EntitySet,
        where pairs: [(here: Int, there: Int)],
        match others: [[Value?]],
        _ condition: TypedExpression?
    ) throws -> [[Value]] {
        try rows(in: set, pairs.map(\.here), are: try values(pairs, of: others), condition)
    }

    private func values(_ pairs: [(here: Int, there: Int)], of others: [[Value?]]) throws -> Set<[Value]> {
        var found: Set<[Value]> = []
        for row in others {
            let values = try pairs.map { pair throws -> Value in
                // A key too long for the change log: where it led is not known.
                guard let value = row[pair.there] else { throw DeltaHandler.scopeChanged }
                return value
            }
            if !values.contains(.null) { found.insert(values) }
        }
        return found
    }

    private func rows(
        in set: EntitySet,
        _ places: [Int],
        are wanted: Set<[Value]>,
        _ condition: TypedExpression? = nil
    ) throws -> [[Value]] {
        var found: [[Value]] = []
        let all = Array(wanted)
        let columns = Array(set.type.properties.indices)
        for start in stride(from: 0, to: all.count, by: Self.chunk) {
            let sink = KeySink(set.type, columns: columns)
            let part = all[start..<min(start + Self.chunk, all.count)]
            let plan = ReadPlan(
                model: model,
                set: set,
                filter: TypedExpression.any(part.map { TypedExpression.equal(places, of: set.type, to: $0) }[...])
                    .and(condition),
                columns: columns,
                includesETag: false,
                user: user
            )
            _ = try reader.read(plan, into: sink)
            found += sink.rows
        }
        return found
    }
}

extension Trackability {
    /// Why the changes of an expansion cannot be followed, one sentence; `nil` when they can.
    static func reasonAgainst(
        _ expansion: ReadPlan.Expansion,
        of set: EntitySet,
        in model: EntityModel
    ) -> String? {
        let target = expansion.plan.set
        if target.isReadOnly { return "\(target.names.wire) is a view, whose changes are not recorded." }
        if let link = expansion.link(of: set)?.set {
            if link.isReadOnly { return "\(link.names.wire) is a view, whose changes are not recorded." }
            if let filter = expansion.linkFilter, let reason = reasonAgainst(filter, over: link, in: model) {
                return reason
            }
        }
        if let filter = expansion.plan.filter, let reason = reasonAgainst(filter, over: target, in: model) {
            return reason
        }
        if let reason = reasonAgainst(computed: expansion.plan.computed) { return reason }
        for nested in expansion.plan.expansions {
            if let reason = reasonAgainst(nested, of: target, in: model) { return reason }
        }
        return nil
    }

    /// Why values that are computed for each row cannot be followed: what they look at lies in other rows.
    static func reasonAgainst(computed: [TypedExpression]) -> String? {
        let isOwn = computed.allSatisfy { value in
            value.isTrackable && value.paths.allSatisfy(\.navigations.isEmpty)
        }
        return isOwn ? nil : "$compute looks into other entities, or at the clock."
    }
}
