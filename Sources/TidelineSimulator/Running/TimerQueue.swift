// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is to happen at moments to come, the earliest first; of one moment what was added first.
struct TimerQueue<Element> {
    private struct Entry {
        var time: SimulatedTime
        var serial: Int
        var element: Element

        func isBefore(_ other: Entry) -> Bool { time == other.time ? serial < other.serial : time < other.time }
    }

    /// A heap: an entry is before those at twice its place plus one and plus two.
    private var entries: [Entry] = []
    private var serial = 0

    mutating func add(_ element: Element, at time: SimulatedTime) {
        serial += 1
        entries.append(Entry(time: time, serial: serial, element: element))
        var place = entries.count - 1
        while place > 0, entries[place].isBefore(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the earliest out, or `nil` when nothing is to come.
    mutating func next() -> (time: SimulatedTime, element: Element)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.time, first.element)
    }

    /// Takes out all that meet a condition, in their order.
    mutating func remove(where isMeant: (Element) -> Bool) -> [Element] {
        let meant = entries.filter { isMeant($0.element) }.sorted { $0.isBefore($1) }
        guard !meant.isEmpty else { return [] }
        // What is sorted is a heap.
        entries = entries.filter { !isMeant($0.element) }.sorted { $0.isBefore($1) }
        return meant.map(\.element)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].isBefore(entries[least]) { least = child }
            }
            guard least != place else { return }
            entries.swapAt(place, least)
            place = least
        }
    }
}
