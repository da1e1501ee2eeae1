// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// A position in the log: its epoch, the server, what the moment saw, and the newest entry that it saw.
struct LogPlace: Equatable {
    /// Where a page of a delta ended.
    struct Page: Equatable {
        /// What this moment sees was pushed to its end.
        var done: Snapshot
        /// What this moment sees was pushed up to `entry`.
        var moment: Snapshot
        var entry: Int64
    }

    static let epochLength = 16
    static let nonceLength = 16
    private static let format: UInt8 = 2

    var epoch: [UInt8]
    /// The server's system identifier and its timeline.
    var system: UInt64
    var timeline: UInt32
    var snapshot: Snapshot
    /// The newest entry, 0 for an empty log, with its nonce.
    var entry: Int64
    var nonce: [UInt8]
    var page: Page?

    init(
        epoch: [UInt8],
        system: UInt64,
        timeline: UInt32,
        snapshot: Snapshot,
        entry: Int64,
        nonce: [UInt8],
        page: Page? = nil
    ) {
        self.epoch = epoch
        self.system = system
        self.timeline = timeline
        self.snapshot = snapshot
        self.entry = entry
        self.nonce = nonce
        self.page = page
    }

    /// Reads what ``position`` wrote.
    init?(_ position: FeedPosition) {
        var rest = position.bytes[...]
        guard rest.popFirst() == Self.format, rest.count > Self.epochLength + Self.nonceLength + 20 else { return nil }
        epoch = Array(rest.prefix(Self.epochLength))
        rest = rest.dropFirst(Self.epochLength)
        system = Self.number(&rest, 8)
        timeline = UInt32(truncatingIfNeeded: Self.number(&rest, 4))
        entry = Int64(bitPattern: Self.number(&rest, 8))
        nonce = Array(rest.prefix(Self.nonceLength))
        rest = rest.dropFirst(Self.nonceLength)
        guard let snapshot = Snapshot(&rest) else { return nil }
        self.snapshot = snapshot
        guard !rest.isEmpty else { return }
        guard let done = Snapshot(&rest), let moment = Snapshot(&rest), rest.count == 8 else { return nil }
        page = Page(done: done, moment: moment, entry: Int64(bitPattern: Self.number(&rest, 8)))
    }

    var position: FeedPosition {
        var bytes = [Self.format] + epoch
        Self.append(system, 8, to: &bytes)
        Self.append(UInt64(timeline), 4, to: &bytes)
        Self.append(UInt64(bitPattern: entry), 8, to: &bytes)
        bytes += nonce
        snapshot.append(to: &bytes)
        if let page {
            page.done.append(to: &bytes)
            page.moment.append(to: &bytes)
            Self.append(UInt64(bitPattern: page.entry), 8, to: &bytes)
        }
        return FeedPosition(bytes: bytes)
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>, _ count: Int) -> UInt64 {
        let number = bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        bytes = bytes.dropFirst(count)
        return number
    }

    private static func append(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64((count - 1 - place) * 8))) }
    }
}
