// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The database as it was at a position, as far as conditions look at it: the before-images of what changed since,
/// and for the rest what is there now.
///
/// A before-image is that of the first change since the position, so every value here was true at one moment; nothing
/// is mixed from two.
struct PastState {
    /// A value is not known, because it was too long for the change log.
    struct Unknown: Error {}

    let model: EntityModel
    let reader: any StoreReader
    let user: UserContext
    /// The before-images of changed entities, by set; an entity that did not exist is there as `nil`.
    private var images: [String: [Key: [Value?]?]] = [:]

    /// - Parameter sets: the sets whose changes are needed.
    init(model: EntityModel, reader: any StoreReader, user: UserContext, since: FeedPosition, sets: [EntitySet]) throws
    {
        self.model = model
        self.reader = reader
        self.user = user
        for set in sets {
            var changed: [Key: [Value?]?] = [:]
            try reader.changes(ChangeQuery(set: set, since: since)) { changed[$0.key] = $0.before }
            images[set.names.wire] = changed
        }
    }

    /// The entities of a set that changed, as they were.
    func changed(in set: EntitySet) -> [Key: [Value?]?] { images[set.names.wire] ?? [:] }

    /// An entity as it was; `nil` when it did not exist.
    func values(_ key: Key, in set: EntitySet) throws -> [Value?]? {
        if let image = images[set.names.wire]?[key] { return image }
        return try reader.entity(key, in: set)?.values
    }

    /// Whether a row satisfied a condition.
    ///
    /// - Throws: ``Unknown`` when that hangs on a value that is not known.
    func satisfied(_ condition: TypedExpression?, by row: [Value?], of set: EntitySet) throws -> Bool {
        guard let condition else { return true }
        return try ExpressionEvaluator(source: Row(state: self, values: row, set: set), user: user).isTrue(condition)
    }

    /// A row as it was, with the ways to what it referred to then.
    private struct Row: PropertySource {
        let state: PastState
        let values: [Value?]
        let set: EntitySet

        func value(at path: TypedExpression.Path) throws -> Value {
            try state.value(of: path, from: values, of: set)
        }
    }

    /// The value at the end of a path; null where a row on the way is absent or does not meet its guard.
    fileprivate func value(of path: TypedExpression.Path, from row: [Value?], of set: EntitySet) throws -> Value {
        var row = row
        var set = set
        for (place, step) in path.navigations.enumerated() {
            let navigation = set.type.navigationProperties[step]
            guard let target = model[set: navigation.targetSet] else { return .null }
            var values: [Value] = []
            for part in target.type.key {
                guard let constraint = navigation.constraints.first(where: { $0.target == part }) else { return .null }
                guard let value = row[constraint.source] else { throw Unknown() }
                if value.isNull { return .null }
                values.append(value)
            }
            guard let next = try self.values(Key(values), in: target) else { return .null }
            if path.guards.indices.contains(place), let condition = path.guards[place] {
                guard try satisfied(condition, by: next, of: target) else { return .null }
            }
            (row, set) = (next, target)
        }
        guard let value = row[path.property] else { throw Unknown() }
        return value
    }
}
