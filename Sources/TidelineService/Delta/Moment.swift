// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The database at one moment, as far as conditions look at it: now, or as it was at a position, by the before-images
/// of what changed since and for the rest what is there now.
///
/// A before-image is that of the first change since the position, so every value here was true at one moment; nothing
/// is mixed from two.
struct Moment {
    /// A value is not known, because it was too long for the change log.
    struct Unknown: Error {}

    /// What was read, to be asked for again.
    private final class KeptRows {
        var rows: [String: [Key: [Value?]?]] = [:]
    }

    let model: EntityModel
    let reader: any StoreReader
    /// The before-images of changed entities, by set; an entity that did not exist is there as `nil`.
    private var images: [String: [Key: [Value?]?]] = [:]
    private var kept: KeptRows?

    /// The moment of the reader's snapshot.
    init(model: EntityModel, reader: any StoreReader) {
        self.model = model
        self.reader = reader
    }

    /// An earlier moment.
    ///
    /// - Parameter sets: the sets whose changes are needed.
    init(model: EntityModel, reader: any StoreReader, since: FeedPosition, sets: [EntitySet]) throws {
        self.init(model: model, reader: reader)
        for set in sets {
            var changed: [Key: [Value?]?] = [:]
            try reader.changes(ChangeQuery(set: set, since: since)) { change in
                // To SQL it is a row, whatever its key: nobody knows what was seen through it.
                guard let key = change.key else { throw DeltaHandler.scopeChanged }
                changed[key] = .some(change.before)
            }
            images[set.names.wire] = changed
        }
    }

    /// The same moment, which keeps each row that it reads: for many questions about few rows.
    var keepingRows: Moment {
        var copy = self
        copy.kept = KeptRows()
        return copy
    }

    /// The entities of a set that changed, as they were.
    func changed(in set: EntitySet) -> [Key: [Value?]?] { images[set.names.wire] ?? [:] }

    /// An entity as it was; `nil` when it did not exist.
    func values(_ key: Key, in set: EntitySet) throws -> [Value?]? {
        let name = set.names.wire
        if let image = images[name]?[key] { return image }
        if let row = kept?.rows[name]?[key] { return row }
        let row: [Value?]? = try reader.entity(key, in: set)?.values
        kept?.rows[name, default: [:]].updateValue(row, forKey: key)
        return row
    }

    /// Whether a row satisfied a condition, for a user.
    ///
    /// - Throws: ``Unknown`` when that hangs on a value that is not known.
    func satisfied(
        _ condition: TypedExpression?,
        by row: [Value?],
        of set: EntitySet,
        for user: UserContext
    ) throws -> Bool {
        guard let condition else { return true }
        let source = Row(moment: self, values: row, set: set, user: user)
        return try ExpressionEvaluator(source: source, user: user).isTrue(condition)
    }

    /// A row as it was, with the ways to what it referred to then.
    private struct Row: PropertySource {
        let moment: Moment
        let values: [Value?]
        let set: EntitySet
        let user: UserContext

        func value(at path: TypedExpression.Path) throws -> Value {
            try moment.value(of: path, from: values, of: set, for: user)
        }
    }

    /// The value at the end of a path; null where a row on the way is absent or does not meet its guard.
    fileprivate func value(
        of path: TypedExpression.Path,
        from row: [Value?],
        of set: EntitySet,
        for user: UserContext
    ) throws -> Value {
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
                guard try satisfied(condition, by: next, of: target, for: user) else { return .null }
            }
            (row, set) = (next, target)
        }
        guard let value = row[path.property] else { throw Unknown() }
        return value
    }
}
