// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension OutboxChange {
    /// The rows that a change refers to by their keys, before it or after it.
    func principals(_ layout: StoreLayout) -> [RowIdentity] {
        layout.sets[set].outgoing.flatMap { reference -> [RowIdentity] in
            guard let places = reference.keyPlaces(layout) else { return [] }
            return [places.compactMap(before), places.compactMap(after)].filter { $0.count == places.count }
                .map { RowIdentity(set: reference.parent, key: $0) }
        }
    }

    /// The rows that a change refers to, also by the key of its row: whatever is done to that, it falls with them.
    func referred(_ layout: StoreLayout) -> [RowIdentity] {
        principals(layout) + layout.sets[set].outgoing.compactMap { $0.principal(of: identity, layout) }
    }
}

extension SetLayout.Reference {
    /// The dependent's columns that hold the principal's key, in the order of the key; `nil` where other properties are
    /// referred to.
    func keyPlaces(_ layout: StoreLayout) -> [Int]? {
        let key = layout.sets[parent].key
        let turns = key.compactMap { parentPlaces.firstIndex(of: $0) }
        return turns.count == key.count && key.count == parentPlaces.count ? turns.map { childPlaces[$0] } : nil
    }

    /// The row that a row refers to by its own key, or `nil` where it does not.
    func principal(of row: RowIdentity, _ layout: StoreLayout) -> RowIdentity? {
        guard let places = keyPlaces(layout) else { return nil }
        let turns = places.compactMap { layout.sets[child].key.firstIndex(of: $0) }
        return turns.count == places.count ? RowIdentity(set: parent, key: turns.map { row.key[$0] }) : nil
    }
}
