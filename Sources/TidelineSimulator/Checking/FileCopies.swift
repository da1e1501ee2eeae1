// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What waited in files when they were copied.
struct FileCopies {
    private struct Copy {
        var devices: Set<String>
        var waiting: Set<Int>
        /// All events that were committed when the file was copied.
        var known: Set<Int>
        /// The devices on which each event was sent again from the quarantine since.
        var retries: [Int: Set<String>] = [:]
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
        copies.append(
            Copy(devices: [device, source], waiting: Set(waiting.map(\.event)), known: Set(writes.keys))
        )
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
