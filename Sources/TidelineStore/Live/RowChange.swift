// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What becomes of some rows of a list: their places are found by their order, the other rows are not looked at.
struct RowChange<Row: Sendable> {
    /// A row that comes, or whose order changed.
    private struct Arrival {
        let row: ListRow<Row>
        let old: ListRow<Row>?
        var from: ListPlace?
    }

    private let state: ListState<Row>
    private let plan: ListPlan<Row>
    private var difference = ListDifference()
    private var arrivals: [Arrival] = []
    /// The rows whose looks alone changed.
    private var restyled: [(key: Key, from: ListPlace)] = []
    /// The places of the rows that leave their place, ascending, by section.
    private var left: [Int: [Int]] = [:]

    init(_ state: ListState<Row>) {
        self.state = state
        plan = state.plan
    }

    /// Notes what a row was and is.
    mutating func note(_ key: Key, _ old: ListRow<Row>?, _ new: ListRow<Row>?) {
        guard let old else {
            if let new { arrivals.append(Arrival(row: new, old: nil)) }
            return
        }
        if let new, new.order == old.order, new.print == old.print { return }
        guard let section = section(old.section(plan.isSectioned)) else { return }
        let from = ListPlace(section: section, row: state.rank(old.order, in: section))
        guard let new else {
            difference.deletes.append((key, from))
            left[section, default: []].append(from.row)
            return
        }
        if new.order == old.order {
            restyled.append((key, from))
        } else {
            arrivals.append(Arrival(row: new, old: old, from: from))
            left[section, default: []].append(from.row)
        }
    }

    /// The place of the section of a value among those told last.
    private func section(_ value: Value) -> Int? {
        let sections = state.mirror.sections
        var low = 0
        var high = sections.count
        while low < high {
            let middle = (low + high) / 2
            if plan.sectionPrecedes(sections[middle].value, value) { low = middle + 1 } else { high = middle }
        }
        return low < sections.count && sections[low].value == value ? low : nil
    }

    /// The batch of what was noted.
    mutating func batch() -> ListBatch {
        for section in left.keys { left[section]?.sort() }
        arrivals.sort { plan.precedes($0.row.order, $1.row.order) }
        let old = state.mirror.sections.map(\.value)
        let new = newSections(old)
        let places = Dictionary(new.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // How many steady rows stand before each arrival of a section, ascending.
        var come: [Int: [Int]] = [:]
        for arrival in arrivals { put(arrival, places, &come) }
        for (key, from) in restyled {
            let steady = from.row - before(from.row, in: from.section)
            let section = places[old[from.section]] ?? from.section
            let row = steady + RowChange.count(come[section] ?? [], upTo: steady)
            difference.updates.append((key, from, ListPlace(section: section, row: row)))
        }
        return difference.batch(from: old, to: new)
    }

    private mutating func put(_ arrival: Arrival, _ places: [Value: Int], _ come: inout [Int: [Int]]) {
        let value = arrival.row.section(plan.isSectioned)
        guard let section = places[value] else { return }
        var steady = 0
        if let old = self.section(value) {
            let rank = state.rank(arrival.row.order, in: old)
            steady = rank - before(rank, in: old)
        }
        let to = ListPlace(section: section, row: steady + (come[section]?.count ?? 0))
        come[section, default: []].append(steady)
        guard let from = arrival.from, let old = arrival.old else {
            difference.inserts.append((arrival.row.key, to))
            return
        }
        difference.candidates.append(
            ListDifference.Candidate(
                key: arrival.row.key,
                from: from,
                to: to,
                steadyBefore: (from.row - before(from.row, in: from.section), steady),
                isSameSection: old.section(plan.isSectioned) == value,
                isChanged: arrival.row.print != old.print
            )
        )
    }

    /// The sections after the change, in their order.
    private func newSections(_ old: [Value]) -> [Value] {
        let arriving = arrivals.map { $0.row.section(plan.isSectioned) }
        let needed = Set(arriving)
        var sections = old.enumerated().filter { place, value in
            state.mirror.sections[place].count > (left[place]?.count ?? 0) || needed.contains(value)
        }.map(\.element)
        let known = Set(old)
        var fresh: [Value] = []
        // Arrivals stand in their order, so equal sections are neighbours.
        for value in arriving where !known.contains(value) && fresh.last != value { fresh.append(value) }
        for value in fresh {
            let place = sections.firstIndex { plan.sectionPrecedes(value, $0) } ?? sections.count
            sections.insert(value, at: place)
        }
        return sections
    }

    /// How many rows that leave stand before a row of a section.
    private func before(_ row: Int, in section: Int) -> Int { RowChange.count(left[section] ?? [], upTo: row - 1) }

    /// How many of ascending numbers are at most `most`.
    private static func count(_ numbers: [Int], upTo most: Int) -> Int {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] <= most { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
