// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Which rows of a query may look different since a position, and whether the user could see them then.
///
/// A row is a candidate when it changed itself, or when a row changed that its policy or filter looks at.
struct ChangeTracker {
    /// A candidate, with the row as it was; `nil` when it did not exist.
    struct Candidate {
        var key: Key
        var before: [Value?]?
    }

    /// What is known of a row's visibility at a position.
    enum Visibility {
        case visible, hidden
        /// The policy hangs on a value too long for the log: neither may be assumed.
        case unknown
    }

    let model: EntityModel
    let reader: any StoreReader
    let set: EntitySet
    /// What hides rows from the user.
    let policy: TypedExpression?
    /// What else chooses the rows: the filter, and the restriction by the URL's path.
    let filter: TypedExpression?
    let user: UserContext
    let since: FeedPosition
    private let routes: Routes
    /// How it was at the position.
    let then: Moment

    init(model: EntityModel, reader: any StoreReader, query: Query, user: UserContext, since: FeedPosition) throws {
        try self.init(
            model: model,
            reader: reader,
            set: query.plan.set,
            policy: query.policy,
            filter: .all(query.restriction, query.filter),
            user: user,
            since: since
        )
    }

    init(
        model: EntityModel,
        reader: any StoreReader,
        set: EntitySet,
        policy: TypedExpression? = nil,
        filter: TypedExpression?,
        user: UserContext,
        since: FeedPosition
    ) throws {
        self.model = model
        self.reader = reader
        self.set = set
        self.policy = policy
        self.filter = filter
        self.user = user
        self.since = since
        routes = Routes([policy, filter], over: set, in: model)
        then = try Moment(
            model: model,
            reader: reader,
            since: since,
            sets: routes.targets(from: set, in: model)
        )
    }

    /// Whether a row was visible, policy and filter both, given what it was.
    ///
    /// Where the filter hangs on a value that the log does not have, the row counts as visible: the policy, known to
    /// have shown it, lets the user know of it anyway, and a removal of a row that the client does not hold does
    /// nothing. Where the policy itself is not known, nothing may be said.
    func visibility(_ row: [Value?]?) throws -> Visibility {
        guard let row else { return .hidden }
        do {
            guard try then.satisfied(policy, by: row, of: set, for: user) else { return .hidden }
        } catch is Moment.Unknown {
            return .unknown
        }
        do {
            return try then.satisfied(filter, by: row, of: set, for: user) ? .visible : .hidden
        } catch is Moment.Unknown {
            return .visible
        }
    }

    /// Pushes the rows that changed themselves, in the order of their last changes.
    ///
    /// - Parameter keyless: called once where there are rows among them whose keys are none of their type.
    /// - Returns: where to go on, when the limit was reached.
    func own(
        after: FeedPosition? = nil,
        limit: Int? = nil,
        scope: ChangeQuery.Scope?,
        keyless: () throws -> Void = {},
        _ receive: (Candidate) throws -> Void
    ) throws -> FeedPosition? {
        let changes = ChangeQuery(set: set, since: since, after: after, limit: limit, scope: scope)
        var isTold = false
        return try reader.changes(changes) { change in
            if let key = change.key {
                try receive(Candidate(key: key, before: change.before))
            } else if !isTold {
                isTold = true
                try keyless()
            }
        }
    }

    /// Whether policy or filter look into other entities.
    var hasRoutes: Bool { !routes.isEmpty }

    /// Pushes the rows that did not change, but whose parents did in what counts.
    ///
    /// - Parameter told: where those were told that changed themselves, when that was on an earlier page. Those that
    ///   changed after it are pushed too: they may be no children any more, and look as they do only since then.
    func fannedOut(told: FeedPosition? = nil, _ receive: (Candidate) throws -> Void) throws {
        guard !routes.isEmpty else { return }
        var late: Set<Key> = []
        if let told {
            try reader.changes(ChangeQuery(set: set, since: told)) { change in
                if let key = change.key { late.insert(key) }
            }
        }
        var seen: Set<Key> = []
        var changed: [Candidate] = []
        // A row that changed itself is told of with its own before-image, whatever the scope says.
        try reader.changes(ChangeQuery(set: set, since: since)) { change in
            guard let key = change.key else { return }
            seen.insert(key)
            if late.contains(key) { changed.append(Candidate(key: key, before: change.before)) }
        }
        for candidate in changed { try receive(candidate) }
        for (route, places) in routes.ends.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            guard let target = Routes.target(of: route, from: set, in: model) else { continue }
            var keys: [Key] = []
            for (key, before) in then.changed(in: target) where try differs(key, before, places, in: target) {
                keys.append(key)
            }
            for start in stride(from: 0, to: keys.count, by: 200) {
                let chunk = keys[start..<min(start + 200, keys.count)]
                try children(of: chunk, over: route, target) { key, row in
                    if seen.insert(key).inserted { try receive(Candidate(key: key, before: row)) }
                }
            }
        }
    }

    /// Whether a parent differs now from what it was in a property that counts.
    private func differs(_ key: Key, _ before: [Value?]?, _ places: Set<Int>, in set: EntitySet) throws -> Bool {
        let now = try reader.entity(key, in: set)?.values
        guard let before, let now else { return (before == nil) != (now == nil) }
        return places.contains { before[$0] != .some(now[$0]) }
    }

    /// The rows whose route leads to one of the parents now.
    ///
    /// Those that it led to before have changed themselves, or a row between has, which is the end of a shorter route.
    private func children(
        of parents: ArraySlice<Key>,
        over route: [Int],
        _ target: EntitySet,
        _ receive: (Key, [Value]) throws -> Void
    ) throws {
        guard let last = route.last, let owner = Routes.target(of: route.dropLast(), from: set, in: model) else {
            return
        }
        let navigation = owner.type.navigationProperties[last]
        let places = target.type.key.compactMap { part in navigation.constraints.first { $0.target == part }?.source }
        guard places.count == target.type.key.count else { return }
        let through = Array(route.dropLast())
        let columns = Array(set.type.properties.indices)
        var plan = ReadPlan(
            model: model,
            set: set,
            filter: condition(places, of: owner.type, through: through, are: parents),
            columns: columns,
            includesETag: false,
            pageLimit: ReadPlan.PageLimit(rows: 200, bytes: 1 << 22),
            user: user
        )
        // However many they are, memory holds a few.
        while true {
            let sink = KeySink(set.type, columns: columns)
            let end = try reader.read(plan, into: sink)
            for row in sink.rows { try receive(Key(set.type.key.map { row[$0] }), row) }
            guard let next = end.continuation else { return }
            plan.after = next
        }
    }

    private func condition(
        _ places: [Int],
        of type: EntityType,
        through navigations: [Int],
        are keys: ArraySlice<Key>
    ) -> TypedExpression {
        if places.count == 1 {
            let left = TypedExpression.property(places[0], of: type, through: navigations)
            let items = keys.map { TypedExpression.literal($0.values[0], type.properties[places[0]].type) }
            return TypedExpression(node: .isIn(left, items), type: .boolean)
        }
        return .any(
            keys.map { key in
                zip(places, key.values).reduce(TypedExpression?.none) { condition, part in
                    let left = TypedExpression.property(part.0, of: type, through: navigations)
                    let right = TypedExpression.literal(part.1, type.properties[part.0].type)
                    let equal = TypedExpression(node: .binary(.equal, left, right), type: .boolean)
                    return condition.map { $0.and(equal) } ?? equal
                } ?? .falsehood
            }[...]
        )
    }
}
