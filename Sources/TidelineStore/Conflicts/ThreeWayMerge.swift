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
        package var mineWon: Bool
    }

    /// The row that results.
    package private(set) var values: [Value]
    /// The properties in which the result differs from the server's row: what is still to be sent.
    package private(set) var remaining: [Int]
    package private(set) var clashes: [Clash]
    /// Whether both sides changed something.
    package private(set) var isJoined: Bool

    /// Merges rows of one entity type.
    ///
    /// A pure function of its arguments.
    ///
    /// - Parameters:
    ///   - touched: the properties that this device gave a value; others are the server's.
    ///   - policy: for a property by its place.
    package init(
        base: [Value],
        mine: [Value],
        theirs: [Value],
        touched: Set<Int>,
        policy: (Int) -> ConflictPolicy = { _ in .serverWins }
    ) {
        values = theirs
        remaining = []
        clashes = []
        isJoined = false
        var theirsChanged = false
        for place in theirs.indices {
            if theirs[place] != base[place] { theirsChanged = true }
            guard touched.contains(place), mine[place] != theirs[place] else { continue }
            guard mine[place] != base[place] else { continue }
            if theirs[place] == base[place] {
                values[place] = mine[place]
                remaining.append(place)
                continue
            }
            let (value, mineWon) = policy(place).decide(base: base[place], mine: mine[place], theirs: theirs[place])
            clashes.append(
                Clash(property: place, base: base[place], mine: mine[place], theirs: theirs[place], mineWon: mineWon)
            )
            values[place] = value
            if value != theirs[place] { remaining.append(place) }
        }
        isJoined = theirsChanged && !remaining.isEmpty
    }
}
