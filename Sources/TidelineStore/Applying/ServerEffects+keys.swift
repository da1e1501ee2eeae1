// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Keys that the server gave in the place of temporary ones.
extension ServerEffects {
    /// Gives a row another key: in its table, in the rows that refer to it, and wherever changes of it are kept.
    ///
    /// - Parameters:
    ///   - isAgain: whether the row is gone on the server and inserted again: what the server had of the rows whose keys
    ///     hold its old one is then for the server to tell, and only rows with changes of their own follow.
    ///   - isReused: whether another row has the old key: of all rows that refer by it, only those follow that this device
    ///     made refer to it.
    /// - Returns: whether a row of the new key was there already; it is kept as the server's state.
    @discardableResult
    func remap(_ identity: RowIdentity, to key: [Value], isAgain: Bool = false, isReused: Bool = false) throws -> Bool {
        let set = layout.sets[identity.set]
        let new = RowIdentity(set: identity.set, key: key)
        guard new != identity else { return false }
        touch(identity)
        touch(new)
        let pulled = try connection.row(set, key)
        if pulled != nil { try connection.remove(set, key) }
        let base = try base(identity)
        try dropBase(identity)
        if let pulled {
            try setBase(new, .row(pulled))
        } else if let base {
            try setBase(new, rekeyed(base, new))
        }
        try connection.run(
            "UPDATE main.\(set.table) SET \(set.matchesForSetting(set.key)) WHERE \(set.matches(set.key))"
        ) {
            self.connection.append(key, set.key, set, to: $0)
            self.connection.append(identity.key, set.key, set, to: $0)
        }
        try carry(identity, to: new, isAgain: isAgain, isReused: isReused)
        return pulled != nil
    }

    /// Follows the new key of a row wherever the old one is written down, but in its own table.
    private func carry(
        _ identity: RowIdentity,
        to new: RowIdentity,
        isAgain: Bool,
        isReused: Bool = false
    ) throws {
        try noteRenamed(identity, to: new)
        for (old, moved) in movedAway where moved == identity { movedAway[old] = new }
        try connection.run("UPDATE main.tideline_conflicts SET key = ? WHERE set_name = ? AND key = ?") {
            $0.blob(self.packed(new))
            self.bind(identity, to: $0)
        }
        // A part of the key that stays, such as a tenant, may stand in all that waits.
        let gone = zip(identity.key, new.key).filter { $0 != $1 }.map(\.0)
        for entry in mentions.numbers(withAny: gone, of: identity.set).compactMap(log.place) {
            let renamed = ServerEffects.rename(&log.entries[entry].changes, identity, new, layout)
            if !renamed.isEmpty { changed(entry, renamed) }
        }
        for entry in quarantine.indices {
            let renamed = ServerEffects.rename(&quarantine[entry].changes, identity, new, layout)
            if !renamed.isEmpty { dirtyQuarantine.insert(quarantine[entry].id) }
        }
        for reference in layout.sets[identity.set].incoming {
            guard let old = reference.values(of: identity, layout), let values = reference.values(of: new, layout)
            else { continue }
            let child = layout.sets[reference.child]
            if isReused, !reference.childPlaces.contains(where: child.key.contains) {
                try carryReferring(reference, from: old, to: values)
            } else {
                try carry(reference, from: old, to: values, isAgain: isAgain)
            }
        }
    }

    /// Gives the rows that changes of this device made refer to a row its new values: the changes have them already.
    private func carryReferring(_ reference: SetLayout.Reference, from old: [Value], to new: [Value]) throws {
        let child = layout.sets[reference.child]
        for row in try connection.rows(child, where: reference.childPlaces, are: old) {
            let identity = RowIdentity(set: child.index, key: child.key.map { row.values[$0] })
            let isReferred = changes(of: identity).contains { change in
                zip(reference.childPlaces, new).allSatisfy { change.after($0) == $1 }
            }
            guard isReferred else { continue }
            var values = row.values
            for (place, value) in zip(reference.childPlaces, new) { values[place] = value }
            try connection.put(StoredRow(values: values, etag: row.etag), child)
            touch(identity)
        }
    }

    /// Gives the rows that refer to a row its new values; where these are part of their keys, that goes on from them.
    private func carry(
        _ reference: SetLayout.Reference,
        from old: [Value],
        to new: [Value],
        isAgain: Bool
    ) throws {
        let child = layout.sets[reference.child]
        guard reference.childPlaces.contains(where: child.key.contains) else {
            if try connection.refer(reference, from: old, to: new) > 0 { touch(whole: child.index) }
            return
        }
        let dirty = dirty
        var rest = dirty.filter { $0.set == child.index && reference.values(in: $0, child) == new }
        for row in try connection.rows(child, where: reference.childPlaces, are: old) {
            var values = row.values
            for (place, value) in zip(reference.childPlaces, new) { values[place] = value }
            let before = RowIdentity(set: child.index, key: child.key.map { row.values[$0] })
            let after = RowIdentity(set: child.index, key: child.key.map { values[$0] })
            rest.remove(after)
            guard before != after, !isAgain || dirty.contains(after) else { continue }
            try rename(before, to: after, reference, new, isAgain: isAgain)
            try carry(before, to: after, isAgain: isAgain)
        }
        for after in rest.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            try carryBase(to: after, reference, from: old, isAgain: isAgain)
        }
    }

    /// Gives what the server has of a row that this device deleted the key that its deletion has now.
    private func carryBase(
        to after: RowIdentity,
        _ reference: SetLayout.Reference,
        from old: [Value],
        isAgain: Bool
    ) throws {
        let set = layout.sets[after.set]
        var before = after
        for (place, value) in zip(reference.childPlaces, old) {
            guard let at = set.key.firstIndex(of: place) else { return }
            before.key[at] = value
        }
        guard before != after, let base = try base(before) else { return }
        try setBase(after, isAgain ? .gone : rekeyed(base, after))
        try dropBase(before)
    }

    /// What the server has of a row, under the key that the row has now.
    private func rekeyed(_ base: ServerRow, _ identity: RowIdentity) -> ServerRow {
        base.map { row in
            var row = row
            for (place, value) in zip(layout.sets[identity.set].key, identity.key) { row.values[place] = value }
            return row
        }
    }

    /// Gives a row whose key holds a reference its new key in its table.
    ///
    /// - Parameter isAgain: whether the row that it refers to is gone on the server: what the server had under the old key
    ///   is gone with it, and of the new one it has nothing.
    private func rename(
        _ before: RowIdentity,
        to after: RowIdentity,
        _ reference: SetLayout.Reference,
        _ new: [Value],
        isAgain: Bool
    ) throws {
        let set = layout.sets[before.set]
        // A pull was faster than the answer: what it brought is kept as the server's state.
        if let pulled = try connection.row(set, after.key) {
            try connection.remove(set, after.key)
            // One without a version was made here, for a row whose key the server gave to another one after a restore.
            if pulled.etag != nil, try base(after) == nil { try setBase(after, .row(pulled)) }
        } else if let base = try base(before) {
            try setBase(after, isAgain ? .gone : rekeyed(base, after))
        }
        try dropBase(before)
        let places = reference.childPlaces
        try connection.run(
            "UPDATE main.\(set.table) SET \(set.matchesForSetting(places)) WHERE \(set.matches(set.key))"
        ) {
            self.connection.append(new, places, set, to: $0)
            self.connection.append(before.key, set.key, set, to: $0)
        }
        touch(before)
        touch(after)
    }

    /// - Returns: the places of the changes that have other values now.
    private static func rename(
        _ changes: inout [OutboxChange],
        _ old: RowIdentity,
        _ new: RowIdentity,
        _ layout: StoreLayout
    ) -> [Int] {
        let set = layout.sets[old.set]
        return changes.indices.filter { index in
            var isChanged = false
            if changes[index].identity == old {
                changes[index].key = new.key
                for (place, value) in zip(set.key, new.key) where !changes[index].row.isEmpty {
                    changes[index].row[place] = value
                }
                isChanged = true
            }
            for reference in set.incoming where reference.child == changes[index].set {
                guard let before = reference.values(of: old, layout), let after = reference.values(of: new, layout)
                else { continue }
                if changes[index].rename(reference.childPlaces, from: before, to: after, layout) { isChanged = true }
            }
            return isChanged
        }
    }
}

extension SetLayout.Reference {
    /// The values by which a row of a key refers, or `nil` where they are not all part of its key.
    func values(in identity: RowIdentity, _ child: SetLayout) -> [Value]? {
        let places = childPlaces.compactMap { child.key.firstIndex(of: $0) }
        return places.count == childPlaces.count ? places.map { identity.key[$0] } : nil
    }

    /// The values that refer to a principal of that key, or `nil` where other properties than its key are referred to.
    func values(of principal: RowIdentity, _ layout: StoreLayout) -> [Value]? {
        let key = layout.sets[principal.set].key
        let places = parentPlaces.compactMap { key.firstIndex(of: $0) }
        return places.count == parentPlaces.count ? places.map { principal.key[$0] } : nil
    }
}

extension Connection {
    /// Gives the rows that refer by old values new ones.
    ///
    /// - Returns: the number of the rows.
    fileprivate func refer(_ reference: SetLayout.Reference, from old: [Value], to new: [Value]) throws -> Int {
        let child = layout.sets[reference.child]
        let places = reference.childPlaces
        return try run(
            "UPDATE main.\(child.table) SET \(child.matchesForSetting(places)) WHERE \(child.matches(places))"
        ) {
            self.append(new, places, child, to: $0)
            self.append(old, places, child, to: $0)
        }
    }
}

extension OutboxChange {
    /// Gives a foreign key another value wherever it has an old one.
    fileprivate mutating func rename(_ places: [Int], from old: [Value], to new: [Value], _ layout: StoreLayout) -> Bool
    {
        var isChanged = false
        if !row.isEmpty, places.map({ row[$0] }) == old {
            for (place, value) in zip(places, new) { row[place] = value }
            isChanged = true
        }
        let keyPlaces = layout.sets[set].key
        if places.allSatisfy(keyPlaces.contains) {
            let at = places.compactMap { keyPlaces.firstIndex(of: $0) }
            if at.map({ key[$0] }) == old {
                for (place, value) in zip(at, new) { key[place] = value }
                isChanged = true
            }
        }
        for (place, pair) in zip(places, zip(old, new)) {
            for index in assignments.indices where assignments[index].property == place {
                if assignments[index].before == pair.0 {
                    assignments[index].before = pair.1
                    isChanged = true
                }
                if assignments[index].after == pair.0 {
                    assignments[index].after = pair.1
                    isChanged = true
                }
            }
        }
        return isChanged
    }
}
