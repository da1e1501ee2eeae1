// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The result of a live list as it was told last: keys, order and prints of the rows, and the rows where they are kept.
struct ListState<Row: Sendable>: Sendable {
    let plan: ListPlan<Row>
    private(set) var mirror = ListMirror()
    private var rows: [Key: ListRow<Row>] = [:]

    init(_ plan: ListPlan<Row>) { self.plan = plan }

    /// The rows in their order.
    var all: [ListRow<Row>] { mirror.sections.flatMap { $0.keys.compactMap { rows[$0] } } }

    // MARK: A whole result

    /// Makes a whole result, in its order, the state.
    mutating func replace(with new: [ListRow<Row>]) -> ListBatch {
        var known = [Key: ListRow<Row>](minimumCapacity: new.count)
        for row in new { known[row.key] = row }
        var difference = ListDifference()
        // The old places of those that stay, with the number of steady rows before them in their section.
        var places: [Key: (place: ListPlace, steadyBefore: Int)] = [:]
        places.reserveCapacity(mirror.count)
        for (index, section) in mirror.sections.enumerated() {
            var steady = 0
            for (row, key) in section.keys.enumerated() {
                let place = ListPlace(section: index, row: row)
                guard let next = known[key] else {
                    difference.deletes.append((key, place))
                    continue
                }
                places[key] = (place, steady)
                if isSteady(next) { steady += 1 }
            }
        }
        let sections = place(new, places, &difference)
        let batch = difference.batch(from: mirror.sections.map(\.value), to: sections)
        mirror.apply(batch)
        rows = known
        return batch
    }

    /// Whether a row stands where it stood among those whose order did not change.
    private func isSteady(_ row: ListRow<Row>) -> Bool { rows[row.key]?.order == row.order }

    /// Notes where the rows of a whole result stand.
    ///
    /// - Returns: the values of its sections.
    private func place(
        _ new: [ListRow<Row>],
        _ places: [Key: (place: ListPlace, steadyBefore: Int)],
        _ difference: inout ListDifference
    ) -> [Value] {
        var sections: [Value] = []
        var count = 0
        var steady = 0
        for row in new {
            let section = row.section(plan.isSectioned)
            if sections.last != section {
                sections.append(section)
                count = 0
                steady = 0
            }
            let place = ListPlace(section: sections.count - 1, row: count)
            count += 1
            guard let before = rows[row.key], let old = places[row.key] else {
                difference.inserts.append((row.key, place))
                continue
            }
            if before.order == row.order {
                steady += 1
                if before.print != row.print { difference.updates.append((row.key, old.place, place)) }
                continue
            }
            difference.candidates.append(
                ListDifference.Candidate(
                    key: row.key,
                    from: old.place,
                    to: place,
                    steadyBefore: (old.steadyBefore, steady),
                    isSameSection: before.section(plan.isSectioned) == section,
                    isChanged: before.print != row.print
                )
            )
        }
        return sections
    }

    // MARK: Some rows

    /// Takes over what became of some rows, in a result without a limit.
    ///
    /// - Parameter found: the rows of `keys` that belong to the result now.
    mutating func change(_ keys: Set<Key>, to found: [Key: ListRow<Row>]) -> ListBatch {
        let batch = difference(keys, found)
        mirror.apply(batch)
        for key in keys { rows[key] = found[key] }
        return batch
    }

    /// Apart from ``change(_:to:)``, so that nothing else holds the rows when they are changed.
    private func difference(_ keys: Set<Key>, _ found: [Key: ListRow<Row>]) -> ListBatch {
        var change = RowChange(self)
        for key in keys { change.note(key, rows[key], found[key]) }
        return change.batch()
    }

    // MARK: The first rows

    /// What the first rows of a result become that is cut off after `top` rows, when some rows changed.
    ///
    /// - Returns: the rows, and the order of the last of them where more may follow it; or `nil` where the whole
    ///   result has to be read, because no row that stayed tells where it was cut off.
    func window(
        _ top: Int,
        _ keys: Set<Key>,
        _ found: [Key: ListRow<Row>]
    ) -> (rows: [ListRow<Row>], follow: [Value]?)? {
        let kept = all.filter { !keys.contains($0.key) }
        var come = found.values.sorted { plan.precedes($0.order, $1.order) }
        let wasFull = mirror.count >= top
        if wasFull {
            guard let last = kept.last else { return top == 0 ? ([], nil) : nil }
            come = come.filter { plan.precedes($0.order, last.order) }
        }
        var merged: [ListRow<Row>] = []
        merged.reserveCapacity(kept.count + come.count)
        var next = 0
        for row in kept {
            while next < come.count, plan.precedes(come[next].order, row.order) {
                merged.append(come[next])
                next += 1
            }
            merged.append(row)
        }
        merged.append(contentsOf: come[next...])
        let rows = Array(merged.prefix(top))
        return (rows, wasFull && rows.count < top ? rows.last?.order : nil)
    }

    /// Whether any of these rows is shown.
    func shows(_ keys: Set<Key>) -> Bool { keys.contains { rows[$0] != nil } }

    // MARK: Places

    /// How many rows of a section, as they were told last, stand before a row.
    func rank(_ order: [Value], in section: Int) -> Int {
        let keys = mirror.sections[section].keys
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            guard let other = rows[keys[middle]] else { return low }
            if plan.precedes(other.order, order) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
