// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The order in which all rows of a store can be inserted elsewhere: what is referred to comes first.
///
/// A reference that no order can serve, as one of a set to itself or one of two that refer to each other, is left out
/// of the insert and set by an update when all rows are there.
struct AttachOrder {
    /// The places of the sets.
    private(set) var sets: [Int] = []
    /// The references of each set that are set later.
    private(set) var deferred: [Int: [SetLayout.Reference]] = [:]

    /// - Throws: ``LocalStoreError/Code/unsupported`` where such a reference cannot be null.
    init(_ layout: StoreLayout) throws {
        var remaining = layout.sets.map(\.index)
        var placed = Set<Int>()
        while !remaining.isEmpty {
            let next = remaining.firstIndex { set in
                layout.sets[set].outgoing.allSatisfy { $0.parent == set || placed.contains($0.parent) }
            }
            let set = remaining.remove(at: next ?? 0)
            let later = layout.sets[set].outgoing.filter { $0.parent == set || !placed.contains($0.parent) }
            for reference in later {
                let child = layout.sets[set]
                guard reference.childPlaces.allSatisfy({ child.rules[$0].isNullable && !child.key.contains($0) }) else {
                    throw LocalStoreError(
                        .unsupported,
                        set: child.name,
                        properties: child.names(reference.childPlaces),
                        message: "The entities of '\(child.name)' and '\(layout.sets[reference.parent].name)' refer to "
                            + "each other and cannot do without: none of them can be sent first."
                    )
                }
            }
            if !later.isEmpty { deferred[set] = later }
            placed.insert(set)
            sets.append(set)
        }
    }
}
