// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What all transactions of a store share, under its lock.
struct MemoryState: Sendable {
    /// The newest committed version.
    var version: MemoryVersion
    /// The last number given to a transaction; never taken back, as by a restored copy.
    private(set) var transaction: UInt64 = 0
    /// The last number given to a new entity, by set; never taken back.
    private var counters: [Int: Int64] = [:]
    /// Where the log of the version ended at what time.
    private var ages = LogAges()
    private var random: any RandomNumberGenerator & Sendable

    init(schema: MemorySchema, random: any RandomNumberGenerator & Sendable) {
        self.random = random
        version = MemoryVersion(schema: schema, epoch: [])
        beginEpoch()
        version.publication = version.log.epoch
    }

    /// Empties the log under a new name.
    mutating func beginEpoch() {
        version.log = MemoryLog(epoch: randomBytes())
        ages = LogAges()
    }

    /// Goes back to another version, whose log ended elsewhere.
    mutating func restore(_ other: MemoryVersion) {
        version = other
        ages = LogAges()
    }

    /// Removes the first entries of the log that need not be kept.
    mutating func compact(_ retention: LogRetention, now: Int64, limit: Int) -> LogCompaction {
        version.conflicts = ConflictChange.kept(version.conflicts, retention, now: now)
        let end = version.log.end
        // The number of entries to remove, of all that there ever were.
        var wanted = 0
        if let entries = retention.entries { wanted = end - Int(clamping: max(entries, 1)) }
        if let seconds = retention.seconds {
            let old = ages.note(.init(seconds: now, entry: Int64(end)), keeping: seconds)
            wanted = max(wanted, old.map { Int($0.entry) - 1 } ?? 0)
        }
        wanted = min(wanted, end - 1)
        let first = version.log.compacted
        guard wanted > first else { return LogCompaction(removed: 0, isFinished: true) }
        let removed = min(wanted - first, max(limit, 1))
        version.log.compact(keeping: end - first - removed)
        return LogCompaction(removed: removed, isFinished: first + removed == wanted)
    }

    /// 16 random bytes.
    mutating func randomBytes() -> [UInt8] {
        (0..<2).flatMap { _ in
            let word = randomWord()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
        }
    }

    mutating func randomWord() -> UInt64 { random.next() }

    mutating func nextTransaction() -> UInt64 {
        transaction += 1
        return transaction
    }

    /// The next number of an entity of a set.
    mutating func nextNumber(of set: Int) -> Int64 {
        let number = (counters[set] ?? 0) + 1
        counters[set] = number
        return number
    }
}
