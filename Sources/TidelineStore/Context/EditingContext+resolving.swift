// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Ending conflicts with what somebody else changed.
extension EditingContext {
    /// The objects whose pending changes somebody else's meet, as they stand now.
    public func staleObjects() throws -> [StaleObject] {
        try catchUp()
        return try changedRows.compactMap { row in
            guard row.isStale, let base = row.base, let identity = row.identity else { return nil }
            let theirs = try storedRow(identity)
            let clashes = row.dirtyPlaces.filter { place in
                guard let theirs else { return true }
                return theirs[place] != base[place] && theirs[place] != row.values[place]
            }
            return StaleObject(row, base: base, theirs: theirs, clashes: row.set.layout.names(clashes))
        }
    }

    /// Ends a conflict: from then on the object's changes are made on what the store has now.
    ///
    /// No step of undo is made of it.
    /// - Throws: ``LocalStoreError``: `noSuchEntry` when nothing is pending of the object any more, `unknownProperty` and
    ///   `invalidValue` for the values of a merge.
    public func resolve(_ object: StaleObject, _ resolution: StaleObject.Resolution) throws {
        try catchUp()
        let set = try set(object.set)
        let identity = RowIdentity(set: set.index, key: try Connection.checked(object.key, set.layout))
        guard let row = changed[set.index].values.first(where: { $0.identity == identity && $0.base != nil }) else {
            throw LocalStoreError(.noSuchEntry, set: set.name, message: "Nothing is pending of this object any more.")
        }
        let theirs = try storedRow(identity)
        row.edit = nil
        row.isStale = false
        switch resolution {
        case .keepTheirs: takeTheirs(row, theirs)
        case .keepMine: keepMine(row, theirs)
        case .merge(let chosen):
            var places: [Int: Value] = [:]
            for (name, value) in chosen {
                let place = try set.place(name)
                places[place] = try set.fitting(value, place)
            }
            guard let theirs, row.presence == .stored, let base = row.base else { return keepMine(row, theirs) }
            let touched = Set(row.dirtyPlaces)
            let merge = ThreeWayMerge(
                base: base,
                mine: row.values,
                theirs: theirs,
                touched: touched,
                decision: .mine
            )
            row.values = merge.values
            for (place, value) in places { row.values[place] = value }
            row.base = theirs
            row.changedValues()
            updateMembership(row)
        }
    }

    private func takeTheirs(_ row: ManagedRow, _ theirs: [Value]?) {
        guard let theirs else { return detach(row) }
        row.take(theirs)
        register(row)
        updateMembership(row)
    }

    private func keepMine(_ row: ManagedRow, _ theirs: [Value]?) {
        guard let theirs else {
            if row.presence == .deleted { return detach(row) }
            // The row is gone: what is here is a new one.
            row.presence = .new
            row.base = nil
            row.given = []
            renew(row)
            row.changedValues()
            return updateMembership(row)
        }
        row.base = theirs
        row.changedValues()
        updateMembership(row)
    }
}
