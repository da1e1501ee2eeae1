// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The rows that a commit touched, or several commits together: keys where they are few, else whole sets.
struct TouchedRows: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// What of one set was touched.
    enum Extent: Hashable, Sendable {
        case rows(Set<Key>)
        case whole
    }

    /// The most keys that are kept of one set: beyond, the whole set counts as touched.
    static let mostKeys = 1_000

    /// By the places of the sets.
    private(set) var sets: [Int: Extent] = [:]

    init() {}

    /// Whole sets, by their places.
    init(arrayLiteral sets: Int...) {
        for set in sets { add(whole: set) }
    }

    var isEmpty: Bool { sets.isEmpty }

    mutating func add(whole set: Int) { sets[set] = .whole }

    mutating func add(_ set: Int, _ key: [Value]) { add(set, [Key(key)]) }

    mutating func add(_ set: Int, _ keys: some Collection<Key>) {
        guard !keys.isEmpty else { return }
        switch sets[set] {
        case .whole: return
        case .rows(var known):
            // Taken out first, so that the keys are not copied.
            sets[set] = nil
            known.formUnion(keys)
            sets[set] = known.count > TouchedRows.mostKeys ? .whole : .rows(known)
        case nil: sets[set] = keys.count > TouchedRows.mostKeys ? .whole : .rows(Set(keys))
        }
    }

    mutating func add(_ other: TouchedRows) {
        for (set, extent) in other.sets {
            switch extent {
            case .whole: add(whole: set)
            case .rows(let keys): add(set, keys)
            }
        }
    }

    /// What is touched of these sets.
    func within(_ places: Set<Int>) -> TouchedRows {
        var part = self
        part.sets = sets.filter { places.contains($0.key) }
        return part
    }

    func touches(_ places: Set<Int>) -> Bool { sets.keys.contains(where: places.contains) }
}
