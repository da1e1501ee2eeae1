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

    /// Takes over what became of some rows.
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

    /// What some rows become in a result that is cut off after a number of rows.
    struct Window {
        /// The rows that changed, and those that no longer fit in.
        var keys: Set<Key>
        /// Those of them that belong to the result now.
        var found: [Key: ListRow<Row>]
        /// How many rows may come in at the end, and the order of the row that they follow.
        var follow: (order: [Value], count: Int)?
    }

    /// What becomes of some rows in a result that is cut off after `top` rows.
    ///
    /// The other rows are not looked at, except for those at the end: a row that stands where it stood keeps its place,
    /// and no row can come in behind the last one that stayed, unless it is read.
    ///
    /// - Parameter found: the rows of `keys` that belong to the result now, whatever its limit is.
    /// - Returns: `nil` where the whole result has to be read, because no row that stayed tells where it was cut off.
    func window(_ top: Int, _ keys: Set<Key>, _ found: [Key: ListRow<Row>]) -> Window? {
        let moving = keys.filter { key in rows[key].map { $0.order != found[key]?.order } ?? true }
        // Where all that are shown stand where they stood, nothing comes and nothing goes.
        guard moving.contains(where: { rows[$0] != nil || found[$0] != nil }) else {
            return Window(keys: keys, found: found)
        }
        let wasFull = mirror.count >= top
        var staying = mirror.sections.lazy.reversed().flatMap { $0.keys.reversed() }
            .compactMap { moving.contains($0) ? nil : self.rows[$0] }.makeIterator()
        var last = staying.next()
        var come = moving.compactMap { found[$0] }.sorted { plan.precedes($0.order, $1.order) }
        if wasFull {
            guard let last else { return top == 0 ? Window(keys: [], found: [:]) : nil }
            come = come.filter { plan.precedes($0.order, last.order) }
        }
        var window = Window(keys: keys, found: found)
        for key in moving { window.found[key] = nil }
        var count = mirror.count - moving.count { rows[$0] != nil } + come.count
        if wasFull, count < top { window.follow = last.map { ($0.order, top - count) } }
        while count > top {
            if let back = last, come.last.map({ plan.precedes($0.order, back.order) }) ?? true {
                window.keys.insert(back.key)
                window.found[back.key] = nil
                last = staying.next()
            } else {
                come.removeLast()
            }
            count -= 1
        }
        for row in come { window.found[row.key] = row }
        return window
    }

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
