// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Which sets concern users: those in which a row changed that the user could see before or can see now.
///
///     sets that changed ─► those that the user's policies reach ─► those with a touched row that it may see
///
/// The rows are read once for all users of the same roles. Where more changed than is looked at row by row, a set
/// concerns everybody who may read any of it.
final class ConcernedSets {
    private struct Place: Hashable {
        var reach: ObjectIdentifier
        var set: String
    }

    private let model: EntityModel
    private let reader: any StoreReader
    private let since: FeedPosition
    private let changed: Set<String>
    /// `nil` where too much changed.
    private var touched: [Place: ChangedRows?] = [:]

    /// - Parameter changed: the wire names of the sets with entries in the log after the position.
    init(model: EntityModel, reader: any StoreReader, since: FeedPosition, changed: Set<String>) {
        self.model = model
        self.reader = reader
        self.since = since
        self.changed = changed
    }

    /// The names of the sets that concern a user.
    ///
    /// - Throws: ``StorageError``.
    func sets(for user: UserContext, _ reach: ChangeReach) throws -> Set<String> {
        try reach.sets(for: changed).filter { name in
            guard let reached = reach[name], let condition = reached.condition else { return true }
            let place = Place(reach: ObjectIdentifier(reach), set: name)
            let rows =
                try touched[place]
                ?? ChangedRows(
                    reached.set,
                    condition,
                    of: model,
                    reader,
                    since: since,
                    user: user
                )
            touched.updateValue(rows, forKey: place)
            return try rows?.concern(user) ?? true
        }
    }
}
