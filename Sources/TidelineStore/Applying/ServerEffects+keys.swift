// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Keys that the server gave in the place of temporary ones.
extension ServerEffects {
    /// Gives a row another key: in its table, in the rows that refer to it, and wherever changes of it are kept.
    ///
    /// - Returns: whether a row of the new key was there already; it is kept as the server's state.
    @discardableResult
    func remap(_ identity: RowIdentity, to key: [Value]) throws -> Bool {
        let set = layout.sets[identity.set]
        let new = RowIdentity(set: identity.set, key: key)
        guard new != identity else { return false }
        touch(identity)
        touch(new)
        let pulled = try connection.row(set, key)
        if pulled != nil { try connection.remove(set, key) }
        let base = try base(identity)
        try dropBase(identity)
        if let pulled { try setBase(new, pulled) } else if let base { try setBase(new, base) }
        try connection.run(
            "UPDATE main.\(set.table) SET \(set.matchesForSetting(set.key)) WHERE \(set.matches(set.key))"
        ) {
            self.connection.append(key, set.key, set, to: $0)
            self.connection.append(identity.key, set.key, set, to: $0)
        }
        try carry(identity, to: new)
        return pulled != nil
    }

    /// Follows the new key of a row wherever the old one is written down, but in its own table.
    private func carry(_ identity: RowIdentity, to new: RowIdentity) throws {
        try noteRenamed(identity, to: new)
        try connection.run("UPDATE main.tideline_conflicts SET key = ? WHERE set_name = ? AND key = ?") {
            $0.blob(self.packed(new))
            self.bind(identity, to: $0)
        }
        for entry in log.entries.indices {
            if ServerEffects.rename(&log.entries[entry].changes, identity, new, layout) {
                log.entries[entry].isDirty = true
            }
        }
        for entry in quarantine.indices {
            if ServerEffects.rename(&quarantine[entry].changes, identity, new, layout) {
                dirtyQuarantine.insert(quarantine[entry].id)
            }
        }
        for reference in layout.sets[identity.set].incoming {
            guard let old = reference.values(of: identity, layout), let values = reference.values(of: new, layout)
            else { continue }
            try carry(reference, from: old, to: values)
        }
    }

    /// Gives the rows that refer to a row its new values; where these are part of their keys, that goes on from them.
    private func carry(_ reference: SetLayout.Reference, from old: [Value], to new: [Value]) throws {
        let child = layout.sets[reference.child]
        let places = reference.childPlaces
        var renamed: [(old: RowIdentity, new: RowIdentity)] = []
        if places.contains(where: child.key.contains) {
            for row in try connection.rows(child, where: places, are: old) {
                var values = row.values
                for (place, value) in zip(places, new) { values[place] = value }
                let key = child.key.map { values[$0] }
                let pair = (
                    old: RowIdentity(set: child.index, key: child.key.map { row.values[$0] }),
                    new: RowIdentity(set: child.index, key: key)
                )
                guard pair.old != pair.new else { continue }
                // A pull was faster than the answer: what it brought is kept as the server's state.
                if let pulled = try connection.row(child, key) {
                    try connection.remove(child, key)
                    try setBase(pair.new, pulled)
                } else if let base = try base(pair.old) {
                    try setBase(pair.new, base)
                }
                try dropBase(pair.old)
                renamed.append(pair)
            }
        }
        let changed = try connection.run(
            "UPDATE main.\(child.table) SET \(child.matchesForSetting(places)) WHERE \(child.matches(places))"
        ) {
            self.connection.append(new, places, child, to: $0)
            self.connection.append(old, places, child, to: $0)
        }
        if changed > 0 { touch(whole: child.index) }
        for pair in renamed { try carry(pair.old, to: pair.new) }
    }

    private static func rename(
        _ changes: inout [OutboxChange],
        _ old: RowIdentity,
        _ new: RowIdentity,
        _ layout: StoreLayout
    ) -> Bool {
        let set = layout.sets[old.set]
        var isChanged = false
        for index in changes.indices {
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
        }
        return isChanged
    }
}

extension SetLayout.Reference {
    /// The values that refer to a principal of that key, or `nil` where other properties than its key are referred to.
    fileprivate func values(of principal: RowIdentity, _ layout: StoreLayout) -> [Value]? {
        let key = layout.sets[principal.set].key
        let places = parentPlaces.compactMap { key.firstIndex(of: $0) }
        return places.count == parentPlaces.count ? places.map { principal.key[$0] } : nil
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
