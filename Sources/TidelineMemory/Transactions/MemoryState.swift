// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What all transactions of a store share, under its lock.
struct MemoryState: Sendable {
    /// The newest committed version.
    var version: MemoryVersion
    /// The last number given to a transaction; never taken back, as by a restored copy.
    private(set) var transaction: UInt64 = 0
    /// The last number given to a new entity, by set; never taken back.
    private var counters: [Int: Int64] = [:]
    private var random: any RandomNumberGenerator & Sendable

    init(schema: MemorySchema, random: any RandomNumberGenerator & Sendable) {
        self.random = random
        version = MemoryVersion(schema: schema, epoch: [])
        beginEpoch()
    }

    /// Empties the log under a new name.
    mutating func beginEpoch() { version.log = MemoryLog(epoch: randomBytes()) }

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
