// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Which sets concern users: those in which a row changed that the user could see before or can see now.
///
///     sets that changed ─► those that the user's policies reach ─► those with a touched row that it may see
///
/// The rows of a set are read once for all users whom the same condition shows them. Where they cannot be looked at one by
/// one (too many changed, too many ask, or one of them cannot be read), the set concerns everybody who may read any of it.
final class ConcernedSets {
    private struct Place: Hashable {
        var set: String
        var condition: TypedExpression
    }

    /// So often a row is looked at for a user; who is asked for after that is told.
    private static let mostLooks = 200_000

    private let model: EntityModel
    private let reader: any StoreReader
    private let since: FeedPosition
    private let changed: Set<String>
    private let mostRows: Int
    /// `nil` where the rows cannot be looked at.
    private var touched: [Place: ChangedRows?] = [:]
    private var looks = 0

    /// - Parameters:
    ///   - changed: the wire names of the sets with entries in the log after the position.
    ///   - mostRows: so many rows of a set are looked at one by one.
    init(model: EntityModel, reader: any StoreReader, since: FeedPosition, changed: Set<String>, mostRows: Int) {
        self.model = model
        self.reader = reader
        self.since = since
        self.changed = changed
        self.mostRows = mostRows
    }

    /// The names of the sets that concern a user.
    ///
    /// - Throws: ``StorageError``, but for what is wrong with a row or a table of one set.
    func sets(for user: UserContext, _ reach: ChangeReach) throws -> Set<String> {
        try reach.sets(for: changed).filter { name in
            guard let reached = reach[name], let condition = reached.condition else { return true }
            let place = Place(set: name, condition: condition)
            do {
                guard let rows = try rows(place, reached.set, user) else { return true }
                let places = rows.places(of: user)
                looks += places.count
                return try looks > Self.mostLooks || rows.concern(user, places)
            } catch let error as StorageError where Self.isOfOneSet(error) {
                // A row that another program spoiled silences nobody.
                touched.updateValue(nil, forKey: place)
                return true
            }
        }
    }

    private func rows(_ place: Place, _ set: EntitySet, _ user: UserContext) throws -> ChangedRows? {
        if let rows = touched[place] { return rows }
        let rows = try ChangedRows(
            set,
            place.condition,
            of: model,
            reader,
            since: since,
            most: mostRows,
            askedBy: user
        )
        touched.updateValue(rows, forKey: place)
        return rows
    }

    private static func isOfOneSet(_ error: StorageError) -> Bool {
        switch error.code {
        case .unreadableValue, .schemaChanged, .unsupported: true
        default: false
        }
    }
}
