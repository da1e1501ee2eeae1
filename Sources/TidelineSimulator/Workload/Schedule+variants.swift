// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The same course in other forms, all of which must end with the same rows on the service.
extension Schedule {
    /// The course without faults, over a network that takes no time, so that one sync is over before the next event.
    package var still: Schedule {
        var still = self
        still.conditions = NetworkConditions(least: .zero, most: .zero)
        still.events.removeAll { event in
            switch event.kind {
            case .edit, .sync, .decide, .direct: false
            default: true
            }
        }
        return still
    }

    /// Each sync is made twice.
    package var withSyncsDoubled: Schedule {
        var doubled = self
        for event in events {
            guard case .sync = event.kind else { continue }
            let time = event.time.advanced(by: .microseconds(1))
            doubled.events.append(ScheduledEvent(number: doubled.events.count + 1_000, time: time, kind: event.kind))
        }
        doubled.sort()
        return doubled
    }

    /// The change log is cut down to its newest entry after every fifth event.
    package var withLogCut: Schedule {
        var cut = self
        for event in events where event.number % 5 == 0 {
            let time = event.time.advanced(by: .microseconds(2))
            let kind = ScheduledEvent.Kind.compact(entries: 1)
            cut.events.append(ScheduledEvent(number: cut.events.count + 1_000, time: time, kind: kind))
        }
        cut.sort()
        return cut
    }

    mutating func sort() { events.sort { ($0.time, $0.number) < ($1.time, $1.number) } }
}
