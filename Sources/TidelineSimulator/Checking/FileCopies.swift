// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What waited in files when they were copied.
struct FileCopies {
    private struct Copy {
        let devices: Set<String>
        /// The devices that have the copy, or one of it, and the one whose file was copied, as long as they have these files.
        var holders: Set<String>
        var original: String?
        var waiting: Set<Int>
        /// All events that were committed when the file was copied.
        var known: Set<Int>
        /// The devices on which each event was sent again from the quarantine since.
        var retries: [Int: Set<String>] = [:]
        /// What waited in the original alone until it was copied: that one does not know of any copy.
        var own: Set<Int>
        /// Of that, what the copy brought to the service, and that of it which the service has forgotten.
        var brought: Set<Int> = []
        var forgotten: Set<Int> = []
        /// What the original brought after that.
        var broughtAgain: Set<Int> = []
    }

    private var copies: [Copy] = []

    /// Notes that a device got a copy of the file of another one.
    ///
    /// - Parameter arrived: the texts that the service has now.
    mutating func note(_ device: String, of source: String, arrived: Set<String>, _ writes: [Int: WriteRecord]) {
        let inherited = copies.filter { $0.devices.contains(source) }.reduce(into: Set<Int>()) {
            $0.formUnion($1.waiting)
        }
        let waiting = writes.values.filter { write in
            (write.author == source || inherited.contains(write.event)) && write.texts.isDisjoint(with: arrived)
        }
        let events = Set(waiting.map(\.event))
        let came = copies.filter { $0.holders.contains(source) }.reduce(into: Set<Int>()) { $0.formUnion($1.waiting) }
        for place in copies.indices {
            copies[place].holders.remove(device)
            if copies[place].holders.contains(source) { copies[place].holders.insert(device) }
            if copies[place].original == device { copies[place].original = nil }
        }
        copies.append(
            Copy(
                devices: [device, source],
                holders: [device],
                original: source,
                waiting: events,
                known: Set(writes.keys),
                own: events.subtracting(came)
            )
        )
    }

    /// Notes what a request of a device brought to the service, by its events.
    mutating func note(_ device: String, brought events: Set<Int>) {
        for place in copies.indices {
            let copy = copies[place]
            if copy.holders.contains(device) { copies[place].brought.formUnion(events.intersection(copy.own)) }
            if copy.original == device { copies[place].broughtAgain.formUnion(events.intersection(copy.forgotten)) }
        }
    }

    /// Notes that the service forgot what it decided.
    mutating func noteForgotten() {
        for place in copies.indices { copies[place].forgotten.formUnion(copies[place].brought) }
    }

    /// Whether what wrote a text waited in a file when that was copied, was sent by the copy, and then again by the original
    /// to a service that had forgotten it.
    func isSentAgain(_ text: String) -> Bool {
        guard let event = WrittenValue.event(of: text) else { return false }
        return copies.contains { $0.broughtAgain.contains(event) }
    }

    /// Notes that a person sent events again from the quarantine of a device.
    mutating func note(_ device: String, retried events: Set<Int>) {
        for place in copies.indices {
            for event in events { copies[place].retries[event, default: []].insert(device) }
        }
    }

    /// Whether what wrote a text waited in a file when that was copied, and one of the two devices changed it again since,
    /// or people sent it again from the quarantines of several: then each file sends its own.
    ///
    /// What is sent again gets a number of its own in each file, as it is another transaction than the one that was
    /// refused.
    func isChangedAgain(_ text: String, _ writes: [Int: WriteRecord]) -> Bool {
        guard let event = WrittenValue.event(of: text), let write = writes[event] else { return false }
        return copies.contains { copy in
            guard copy.waiting.contains(event) else { return false }
            return copy.retries[event, default: []].count > 1
                || writes.values.contains { later in
                    copy.devices.contains(later.author) && !copy.known.contains(later.event)
                        && !later.touched.isDisjoint(with: write.texts)
                }
        }
    }
}
