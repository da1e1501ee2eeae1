// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// The merge of one row: what both sides made of the same base, property by property.
///
///     base    Name A   Phone 1   Note -
///     mine    Name B   Phone 2   Note -        Name: mine alone · Phone: both, the policy decides · Note: theirs alone
///     theirs  Name A   Phone 3   Note x   ->   Name B   Phone 3   Note x, and the log keeps Phone 2
package struct ThreeWayMerge: Hashable, Sendable {
    /// A property that both sides gave another value.
    package struct Clash: Hashable, Sendable {
        package var property: Int
        package var base: Value
        package var mine: Value
        package var theirs: Value
        /// Whether this device's value counts, alone or joined with the other.
        package var mineWon: Bool
        /// Whether it is joined with the other: neither lost.
        package var isJoined = false
        /// Whether a person is still to decide.
        package var isOpen = false
    }

    /// The row that results.
    package private(set) var values: [Value]
    /// The properties in which the result differs from the server's row: what is still to be sent.
    package private(set) var remaining: [Int]
    package private(set) var clashes: [Clash]

    /// Whether a person is to decide something: then nothing of the row is sent.
    package var isOpen: Bool { clashes.contains(where: \.isOpen) }

    /// Merges rows of one entity type.
    ///
    /// A pure function of its arguments.
    ///
    /// - Parameters:
    ///   - touched: the properties that this device gave a value; others are the server's.
    ///   - unread: the properties whose null stands for a value of the server that is none of their type: no base is that.
    ///   - decide: for a property that both sides changed: its place, then base, mine and theirs.
    package init(
        base: [Value],
        mine: [Value],
        theirs: [Value],
        touched: Set<Int>,
        unread: Set<Int> = [],
        decide: (Int, Value, Value, Value) -> ConflictDecision
    ) {
        values = theirs
        remaining = []
        clashes = []
        for place in theirs.indices {
            let isChanged = theirs[place] != base[place] || unread.contains(place)
            guard touched.contains(place), mine[place] != base[place] else { continue }
            if !isChanged {
                values[place] = mine[place]
                remaining.append(place)
                continue
            }
            var clash = Clash(
                property: place,
                base: base[place],
                mine: mine[place],
                theirs: theirs[place],
                mineWon: true
            )
            switch decide(place, base[place], mine[place], theirs[place]) {
            case .theirs: clash.mineWon = false
            case .mine: values[place] = mine[place]
            case .joined(let value):
                values[place] = value
                clash.isJoined = true
            case .open:
                clash.mineWon = false
                clash.isOpen = true
            case .same: continue
            }
            clashes.append(clash)
            if values[place] != theirs[place] { remaining.append(place) }
        }
    }

    /// Merges rows with one decision for whatever both sides changed.
    package init(
        base: [Value],
        mine: [Value],
        theirs: [Value],
        touched: Set<Int>,
        decision: ConflictDecision = .theirs
    ) {
        self.init(base: base, mine: mine, theirs: theirs, touched: touched) { _, _, mine, theirs in
            mine == theirs ? .same : decision
        }
    }
}
