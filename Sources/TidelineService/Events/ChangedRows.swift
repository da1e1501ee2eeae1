// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The rows of a set that may look different since a position, as they were then and as they are: whom they concern.
///
/// A row is here when it changed, or when a row changed that the condition on it looks at. It concerns who could see it
/// then or can see it now: what a delta would tell, in a row or a removal. What it was in between counts for nobody.
struct ChangedRows {
    /// More rows than are looked at one by one.
    private struct TooMany: Error {}

    private struct Row {
        var before: [Value?]?
        var now: [Value?]?
    }

    private let set: EntitySet
    private let condition: TypedExpression
    private let then: Moment
    private let now: Moment
    private var rows: [Row] = []
    /// Where the condition asks for an owner: the places of each owner's rows.
    private var owned: (type: PrimitiveType, places: [Value: [Int]])?
    /// The places of rows that each user is asked for.
    private var anybodys: [Int] = []
    /// The properties of a row that the condition begins at; of a row nothing else is kept.
    private let looked: Set<Int>

    /// - Parameters:
    ///   - condition: of who may read the rows, the same for all who are asked for.
    ///   - most: so many rows are looked at one by one.
    ///   - user: who asks first; the rows are the same for the others.
    /// - Returns: `nil` where more changed than is looked at, or rows whose keys are none of their types.
    init?(
        _ set: EntitySet,
        _ condition: TypedExpression,
        of model: EntityModel,
        _ reader: any StoreReader,
        since: FeedPosition,
        most: Int,
        askedBy user: UserContext
    ) throws {
        for looked in [set] + Routes([condition], over: set, in: model).targets(from: set, in: model) {
            let changes = ChangeQuery(set: looked, since: since, limit: most)
            var isKeyless = false
            let rest = try reader.changes(changes) { if $0.key == nil { isKeyless = true } }
            guard rest == nil, !isKeyless else { return nil }
        }
        let tracker = try ChangeTracker(
            model: model,
            reader: reader,
            set: set,
            policy: condition,
            filter: nil,
            user: user,
            since: since
        )
        self.set = set
        self.condition = condition
        looked = Self.properties(condition, of: set)
        then = tracker.then.keepingRows
        now = Moment(model: model, reader: reader).keepingRows
        do {
            _ = try tracker.own(scope: nil) { try add($0, most) }
            try tracker.fannedOut { try add($0, most) }
        } catch is TooMany {
            return nil
        }
        sort()
    }

    private mutating func add(_ candidate: ChangeTracker.Candidate, _ most: Int) throws {
        guard rows.count < most else { throw TooMany() }
        let now = try now.reader.entity(candidate.key, in: set)?.values
        rows.append(Row(before: candidate.before.map(kept), now: now.map { kept($0) }))
    }

    private func kept(_ row: [Value?]) -> [Value?] {
        row.enumerated().map { looked.contains($0.offset) ? $0.element : nil }
    }

    private static func properties(_ condition: TypedExpression, of set: EntitySet) -> Set<Int> {
        condition.paths.reduce(into: []) { properties, path in
            if let first = path.navigations.first {
                properties.formUnion(set.type.navigationProperties[first].constraints.map(\.source))
            } else {
                properties.insert(path.property)
            }
        }
    }

    /// Sorts the rows by their owners, so that each user is asked for its own alone.
    private mutating func sort() {
        guard let property = condition.ownerProperty else {
            anybodys = Array(rows.indices)
            return
        }
        var places: [Value: [Int]] = [:]
        for (place, row) in rows.enumerated() {
            let sides = [row.before, row.now].compactMap { $0 }
            let owners = Set(sides.compactMap { $0[property] })
            // An owner that is too long for the log may be anybody.
            guard sides.allSatisfy({ $0[property] != nil }) else {
                anybodys.append(place)
                continue
            }
            for owner in owners { places[owner, default: []].append(place) }
        }
        owned = (set.type.properties[property].type, places)
    }

    /// The places of the rows that may concern a user.
    func places(of user: UserContext) -> [Int] {
        guard let owned else { return anybodys }
        return anybodys + (owned.places[user.value(nil, as: owned.type)] ?? [])
    }

    /// Whether a user may see something else than it could, of the rows at some places.
    ///
    /// - Throws: ``StorageError``.
    func concern(_ user: UserContext, _ places: [Int]) throws -> Bool {
        try places.contains { place in
            try isSeen(rows[place].before, then, user) || isSeen(rows[place].now, now, user)
        }
    }

    private func isSeen(_ row: [Value?]?, _ moment: Moment, _ user: UserContext) throws -> Bool {
        guard let row else { return false }
        do {
            return try moment.satisfied(condition, by: row, of: set, for: user)
        } catch let error as StorageError {
            throw error
        } catch {
            // What is not known of it, or not to be reckoned: it may be seen.
            return true
        }
    }
}
