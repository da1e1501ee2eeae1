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
            func later(_ set: Int) -> [SetLayout.Reference] {
                layout.sets[set].outgoing.filter { $0.parent == set || !placed.contains($0.parent) }
            }
            let free = remaining.firstIndex { set in later(set).allSatisfy { $0.parent == set } }
            // Of sets that refer to each other one goes first whose references can wait, and that others wait for.
            let breaking = remaining.firstIndex { set in
                later(set).allSatisfy { Self.canWait($0, layout) }
                    && remaining.contains { $0 != set && layout.sets[$0].outgoing.contains { $0.parent == set } }
            }
            let set = remaining.remove(at: free ?? breaking ?? 0)
            let references = later(set)
            if let stuck = references.first(where: { !Self.canWait($0, layout) }) {
                let child = layout.sets[set]
                throw LocalStoreError(
                    .unsupported,
                    set: child.name,
                    properties: child.names(stuck.childPlaces),
                    message:
                        "The entities of '\(child.name)' and '\(layout.sets[stuck.parent].name)' refer to each other "
                        + "and cannot do without: none of them can be sent first."
                )
            }
            if !references.isEmpty { deferred[set] = references }
            placed.insert(set)
            sets.append(set)
        }
    }

    /// Whether a reference can be null until the row that it leads to is there.
    private static func canWait(_ reference: SetLayout.Reference, _ layout: StoreLayout) -> Bool {
        let child = layout.sets[reference.child]
        return reference.childPlaces.allSatisfy { child.rules[$0].isNullable && !child.key.contains($0) }
    }
}
