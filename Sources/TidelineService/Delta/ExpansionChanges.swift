// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Which rows have other related entities, or related entities that look different, than at a position: over one way of
/// `$expand`, level by level.
///
///     Clients?$expand=Orders    an order changed ──► the client that it belongs to, and the one that it belonged to
///
/// Found from what changed, never by looking at all rows: the cost is that of the changes and of the rows that they
/// concern. A change of a row at the end of a to-one way concerns every row that leads there. Rows are read in pieces and
/// pushed on, so that memory holds a piece of each level and no more.
final class ExpansionChanges {
    /// A navigation property of one row.
    struct Way: Hashable {
        var set: String
        var key: Key
        /// The place of the navigation property in the entity type.
        var navigation: Int
    }

    /// A row that changed, as far as it could be seen: as it was and as it is.
    struct State {
        var key: Key
        var before: [Value?]?
        var now: [Value?]?
    }

    /// An expansion, and the set whose rows have it.
    struct Level {
        var set: EntitySet
        var expansion: ReadPlan.Expansion
    }

    /// So many rows are looked at together.
    static let chunk = 200

    let model: EntityModel
    let reader: any StoreReader
    let user: UserContext
    /// From the query's set inwards.
    let levels: [Level]
    /// Whether what rows were related to is noted.
    let notesLost: Bool
    /// The entities that a row may have been related to: some still are.
    private(set) var lost: [Way: Set<Key>] = [:]

    init(model: EntityModel, reader: any StoreReader, user: UserContext, levels: [Level], notesLost: Bool) {
        self.model = model
        self.reader = reader
        self.user = user
        self.levels = levels
        self.notesLost = notesLost
    }

    /// What rows were related to, as far as it was noted since this was last asked.
    func takeLost() -> [Way: Set<Key>] {
        defer { lost = [:] }
        return lost
    }

    // MARK: States

    /// The rows that changed, or that a condition sees with other eyes: as they were and as they are, where the condition
    /// lets them be seen.
    ///
    /// Of a change that was hidden before and after nothing is told, not even that something changed. Where it is not
    /// known whether a row was seen, nothing may be told of it but what is seen now.
    ///
    /// - Parameter tied: the places of the properties by which the row is related.
    /// - Throws: ``DeltaHandler/scopeChanged`` where the row may have to be told of as gone.
    func states(
        of candidates: [ChangeTracker.Candidate],
        _ tracker: ChangeTracker,
        _ condition: TypedExpression?,
        tied: [Int]
    ) throws -> [State] {
        let set = tracker.set
        var now: [Key: [Value?]] = [:]
        let columns = Array(set.type.properties.indices)
        try rows(in: set, set.type.key, are: Set(candidates.map(\.key.values)), condition, columns) { rows in
            for row in rows { now[Key(set.type.key.map { row[$0] })] = row }
        }
        var states: [State] = []
        for candidate in candidates {
            let row = now[candidate.key]
            var before: [Value?]?
            switch try tracker.visibility(candidate.before) {
            case .visible: before = candidate.before
            case .hidden: break
            case .unknown:
                guard let row, let old = candidate.before, tied.allSatisfy({ old[$0] == row[$0] }) else {
                    throw DeltaHandler.scopeChanged
                }
            }
            if before != nil || row != nil { states.append(State(key: candidate.key, before: before, now: row)) }
        }
        return states
    }

    // MARK: Owners

    /// Pushes the keys of the rows of the query's set that have related entities in these states.
    func lead(_ states: [State], from level: Int, _ receive: (Key) throws -> Void) throws {
        guard !states.isEmpty else { return }
        let (set, expansion) = (levels[level].set, levels[level].expansion)
        if notesLost { try noteFormer(states, expansion) }
        guard let link = expansion.link(of: set) else {
            let navigation = set.type.navigationProperties[expansion.navigation]
            let pairs = navigation.constraints.map { (here: $0.source, there: $0.target) }
            return try owners(pairs, level, states.map { ($0.key, $0) }, receive)
        }
        // The links of the entities that changed.
        let toTarget = link.set.type.navigationProperties[link.toTarget]
        let ends = toTarget.constraints.map { (here: $0.source, there: $0.target) }
        var targets: [[Value]: Key] = [:]
        for state in states {
            let rows = [state.before, state.now].compactMap { $0 }
            for values in try values(ends, of: rows) { targets[values] = state.key }
        }
        let columns = Array(link.set.type.properties.indices)
        try rows(in: link.set, ends.map(\.here), are: Set(targets.keys), expansion.linkFilter, columns) { rows in
            let links = rows.compactMap { row in
                targets[ends.map { row[$0.here] }].map { ($0, State(key: $0, before: row)) }
            }
            try self.owners(self.pairs(to: link), level, links, receive)
        }
    }

    /// Pushes the keys of the rows of the query's set that have links in these states.
    func lead(links states: [State], from level: Int, _ receive: (Key) throws -> Void) throws {
        let (set, expansion) = (levels[level].set, levels[level].expansion)
        guard let link = expansion.link(of: set) else { return }
        let toTarget = link.set.type.navigationProperties[link.toTarget]
        var links: [(target: Key, state: State)] = []
        for state in states {
            for row in [state.before, state.now] {
                guard let row, let key = try key(of: expansion.plan.set, at: toTarget, of: row) else { continue }
                links.append((key, State(key: state.key, before: row)))
            }
        }
        try owners(pairs(to: link), level, links, receive)
    }

    /// The pairs of places that tie rows to their links: in the rows' set, in the links'.
    private func pairs(to link: (set: EntitySet, toOwner: Int, toTarget: Int)) -> [(here: Int, there: Int)] {
        link.set.type.navigationProperties[link.toOwner].constraints.map { (here: $0.target, there: $0.source) }
    }

    /// The rows of a level that states lead to, and from them on to the query's set.
    private func owners(
        _ pairs: [(here: Int, there: Int)],
        _ level: Int,
        _ states: [(target: Key, state: State)],
        _ receive: (Key) throws -> Void
    ) throws {
        let (set, expansion) = (levels[level].set, levels[level].expansion)
        let wanted = try values(pairs, of: states.flatMap { [$0.state.before, $0.state.now] }.compactMap { $0 })
        guard !wanted.isEmpty else { return }
        var former: [[Value]: Set<Key>] = [:]
        if notesLost {
            for (target, state) in states {
                for values in try values(pairs, of: [state.before].compactMap { $0 }) {
                    former[values, default: []].insert(target)
                }
            }
        }
        func note(_ owner: Key, _ values: [Value]) {
            guard let targets = former[values] else { return }
            let way = Way(set: set.names.wire, key: owner, navigation: expansion.navigation)
            lost[way, default: []].formUnion(targets)
        }
        let places = pairs.map(\.here)
        if level == 0, places == set.type.key {
            for values in wanted {
                note(Key(values), values)
                try receive(Key(values))
            }
            return
        }
        // Of rows on the way all is needed: what they look like now decides where they lead to.
        let columns = level == 0 ? Set(set.type.key + places).sorted() : Array(set.type.properties.indices)
        let condition = level == 0 ? nil : levels[level - 1].expansion.plan.filter
        let keys = set.type.key.compactMap { columns.firstIndex(of: $0) }
        let ties = places.compactMap { columns.firstIndex(of: $0) }
        try rows(in: set, places, are: wanted, condition, columns) { rows in
            var found: [State] = []
            for row in rows {
                let owner = Key(keys.map { row[$0] })
                note(owner, ties.map { row[$0] })
                if level == 0 { try receive(owner) } else { found.append(State(key: owner, now: row)) }
            }
            if level > 0 { try self.lead(found, from: level - 1, receive) }
        }
    }

    /// What rows of this level led to before they changed: their own foreign keys say it.
    private func noteFormer(_ states: [State], _ expansion: ReadPlan.Expansion) throws {
        for state in states {
            guard let before = state.before else { continue }
            try noteFormer(state.key, before, of: expansion.plan.set, expansion.plan.expansions)
        }
    }

    /// What a row led to before it changed.
    func noteFormer(_ key: Key, _ before: [Value?], of set: EntitySet, _ expansions: [ReadPlan.Expansion]) throws {
        for expansion in expansions where expansion.link(of: set) == nil {
            let navigation = set.type.navigationProperties[expansion.navigation]
            guard navigation.isDependent, let target = try self.key(of: expansion.plan.set, at: navigation, of: before)
            else { continue }
            lost[Way(set: set.names.wire, key: key, navigation: expansion.navigation), default: []].insert(target)
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

    /// Pushes the rows with these values, in pieces.
    private func rows(
        in set: EntitySet,
        _ places: [Int],
        are wanted: Set<[Value]>,
        _ condition: TypedExpression?,
        _ columns: [Int],
        _ receive: ([[Value]]) throws -> Void
    ) throws {
        let all = Array(wanted)
        for start in stride(from: 0, to: all.count, by: Self.chunk) {
            let part = all[start..<min(start + Self.chunk, all.count)]
            var plan = ReadPlan(
                model: model,
                set: set,
                filter: TypedExpression.any(part.map { TypedExpression.equal(places, of: set.type, to: $0) }[...])
                    .and(condition),
                columns: columns,
                includesETag: false,
                pageLimit: ReadPlan.PageLimit(rows: Self.chunk, bytes: 1 << 22),
                user: user
            )
            while true {
                let sink = KeySink(set.type, columns: columns)
                let end = try reader.read(plan, into: sink)
                try receive(sink.rows)
                guard let next = end.continuation else { break }
                plan.after = next
            }
        }
    }
}
