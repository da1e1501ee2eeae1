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
    /// A navigation property of one row.
    struct Way: Hashable {
        var set: String
        var key: Key
        /// The place of the navigation property in the entity type.
        var navigation: Int
    }

    /// A row that changed, as far as it could be seen: as it was and as it is.
    private struct State {
        var key: Key
        var before: [Value?]?
        var now: [Value?]?
    }

    /// So many keys are looked for together.
    private static let chunk = 200

    let model: EntityModel
    let reader: any StoreReader
    let user: UserContext
    let since: FeedPosition
    /// The entities that a row may have been related to: some still are.
    private(set) var lost: [Way: Set<Key>] = [:]

    init(model: EntityModel, reader: any StoreReader, user: UserContext, since: FeedPosition) {
        self.model = model
        self.reader = reader
        self.user = user
        self.since = since
    }

    /// The keys of the rows of a set of which an expansion changed.
    ///
    /// - Parameter policy: which rows of the set the user may see: of what others led to nothing is told.
    mutating func owners(
        of expansions: [ReadPlan.Expansion],
        in set: EntitySet,
        behind policy: TypedExpression?
    ) throws -> Set<Key> {
        var owners: Set<Key> = []
        for expansion in expansions { owners.formUnion(try self.owners(of: expansion, in: set, behind: policy)) }
        return owners
    }

    private mutating func owners(
        of expansion: ReadPlan.Expansion,
        in set: EntitySet,
        behind policy: TypedExpression?
    ) throws -> Set<Key> {
        let target = expansion.plan.set
        var states = try states(of: target, expansion.plan.filter)
        for key in try owners(of: expansion.plan.expansions, in: target, behind: expansion.plan.filter) {
            if let now = try shown(key, in: target, expansion.plan.filter) { states.append(State(key: key, now: now)) }
        }
        guard let link = expansion.link(of: set) else {
            let navigation = set.type.navigationProperties[expansion.navigation]
            if navigation.isDependent { try loseFormer(expansion.navigation, of: set, behind: policy) }
            let pairs = navigation.constraints.map { (here: $0.source, there: $0.target) }
            return try owners(pairs, expansion.navigation, of: set, states.map { ($0.key, $0) })
        }
        let toOwner = link.set.type.navigationProperties[link.toOwner]
        let toTarget = link.set.type.navigationProperties[link.toTarget]
        let ends = toTarget.constraints.map { (here: $0.source, there: $0.target) }
        var links: [(target: Key, state: State)] = []
        for state in try self.states(of: link.set, expansion.linkFilter) {
            if let row = state.before, let key = try key(of: target, at: toTarget, of: row) {
                links.append((key, State(key: state.key, before: row)))
            }
            if let row = state.now, let key = try key(of: target, at: toTarget, of: row) {
                links.append((key, State(key: state.key, now: row)))
            }
        }
        // The links of the entities that changed.
        for state in states {
            for row in [state.before, state.now] {
                guard let row else { continue }
                for link in try rows(in: link.set, ends.map(\.here), are: values(ends, of: [row]), expansion.linkFilter)
                {
                    links.append((state.key, State(key: state.key, before: link.map { $0 })))
                }
            }
        }
        let pairs = toOwner.constraints.map { (here: $0.target, there: $0.source) }
        return try owners(pairs, expansion.navigation, of: set, links.map { ($0.target, $0.state) })
    }

    /// The rows that states lead to, by pairs of places: in the rows' set, in the states'.
    private mutating func owners(
        _ pairs: [(here: Int, there: Int)],
        _ navigation: Int,
        of set: EntitySet,
        _ states: [(target: Key, state: State)]
    ) throws -> Set<Key> {
        let wanted = try values(pairs, of: states.flatMap { [$0.state.before, $0.state.now] }.compactMap { $0 })
        var known: [[Value]: [Key]] = [:]
        if pairs.map(\.here) == set.type.key {
            for values in wanted { known[values] = [Key(values)] }
        } else {
            for row in try rows(in: set, pairs.map(\.here), are: wanted) {
                known[pairs.map { row[$0.here] }, default: []].append(Key(set.type.key.map { row[$0] }))
            }
        }
        var owners: Set<Key> = []
        for (target, state) in states {
            for values in try values(pairs, of: [state.before, state.now].compactMap { $0 }) {
                owners.formUnion(known[values] ?? [])
            }
            for values in try values(pairs, of: [state.before].compactMap { $0 }) {
                for owner in known[values] ?? [] {
                    lost[Way(set: set.names.wire, key: owner, navigation: navigation), default: []].insert(target)
                }
            }
        }
        return owners
    }

    /// What rows led to before they changed: their own foreign keys say it.
    private mutating func loseFormer(
        _ place: Int,
        of set: EntitySet,
        behind policy: TypedExpression?
    ) throws {
        let navigation = set.type.navigationProperties[place]
        guard let target = model[set: navigation.targetSet] else { return }
        let tracker = try ChangeTracker(
            model: model,
            reader: reader,
            set: set,
            policy: policy,
            filter: nil,
            user: user,
            since: since
        )
        var found: [(Key, Key)] = []
        try reader.changes(ChangeQuery(set: set, since: since)) { change in
            guard try tracker.visibility(change.before) == .visible else { return }
            guard let before = change.before, let key = try key(of: target, at: navigation, of: before) else { return }
            found.append((change.key, key))
        }
        for (owner, key) in found {
            lost[Way(set: set.names.wire, key: owner, navigation: place), default: []].insert(key)
        }
    }

    /// The key of the entity that a row's foreign key names; `nil` where it names none, or not by its key.
    private func key(of target: EntitySet, at navigation: NavigationProperty, of row: [Value?]) throws -> Key? {
        var values: [Value] = []
        for part in target.type.key {
            guard let constraint = navigation.constraints.first(where: { $0.target == part }) else { return nil }
            // A key too long for the change log: where it led is not known.
            guard let value = row[constraint.source] else { throw DeltaHandler.scopeChanged }
            if value.isNull { return nil }
            values.append(value)
        }
        return Key(values)
    }

    // MARK: Rows

    /// The rows of a set that changed, or that a condition sees with other eyes: as they were and as they are, where
    /// the condition lets them be seen.
    ///
    /// Of a change that was hidden before and after nothing is told, not even that something changed.
    private func states(of set: EntitySet, _ condition: TypedExpression?) throws -> [State] {
        let tracker = try ChangeTracker(
            model: model,
            reader: reader,
            set: set,
            filter: condition,
            user: user,
            since: since
        )
        var states: [State] = []
        func add(_ candidate: ChangeTracker.Candidate) throws {
            let wasShown = try tracker.visibility(candidate.before) != .hidden
            let state = State(
                key: candidate.key,
                before: wasShown ? candidate.before : nil,
                now: try shown(candidate.key, in: set, condition)
            )
            if state.before != nil || state.now != nil { states.append(state) }
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

    private func values(_ pairs: [(here: Int, there: Int)], of rows: [[Value?]]) throws -> Set<[Value]> {
        var found: Set<[Value]> = []
        for row in rows {
            let values = try pairs.map { pair throws -> Value in
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
