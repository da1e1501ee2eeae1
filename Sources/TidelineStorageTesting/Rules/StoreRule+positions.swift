// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Positions that can no longer be served.
    static let positions: [StoreRule] = [
        StoreRule("compaction keeps the newest entries and refuses positions whose changes it took away") {
            world throws in
            let start = try world.position()
            try world.update("Clients", [.string("k1")], "Name", .string("1"))
            let first = try world.position()
            try world.update("Clients", [.string("k1")], "Name", .string("2"))
            let second = try world.position()
            try world.update("Clients", [.string("k2")], "Name", .string("3"))
            let last = try world.position()
            #expect(try world.compact(keeping: 2).isFinished)
            #expect(try refusal(world, start) == .gone)
            #expect(try world.changes("Clients", since: second) == ["(k2) k2|Bob|null"])
            #expect(try world.changes("Clients", since: last) == [])
            #expect(try world.compact(keeping: 0).removed == 1)
            #expect(try refusal(world, first) == .gone)
            #expect(try refusal(world, last) == nil)
            try world.update("Clients", [.string("k2")], "Name", .string("4"))
            #expect(try world.changes("Clients", since: last) == ["(k2) k2|3|null"])
            #expect(try world.row("Clients", .string("k1")) == "k1|2|4.5")
        },
        StoreRule("compaction by age removes what is older, keeps the newest of it, and works in steps") {
            world throws in
            let day: Int64 = 86_400
            let retention = LogRetention(seconds: 10 * day)
            let compact = { (time: Int64) in try world.store.compact(retention, now: time * day, limit: .max) }
            #expect(try compact(100) == LogCompaction(removed: 0, isFinished: true))
            let start = try world.position()
            for name in ["1", "2", "3"] { try world.update("Clients", [.string("k1")], "Name", .string(name)) }
            let old = try world.position()
            #expect(try compact(105).removed == 0)
            try world.update("Clients", [.string("k2")], "Name", .string("new"))
            let new = try world.position()
            // The entries of before day 100 are ten days old, and the newest of them stays.
            let rows = StoreFixture.rows.reduce(0) { $0 + $1.rows.count }
            // More where a database logs an entity again for the items of its collections. That all but one went is told
            // on day 115.
            #expect(try compact(110).removed >= rows - 1)
            #expect(try world.changes("Clients", since: start) == ["(k1) k1|Ann|4.5", "(k2) k2|Bob|null"])
            #expect(try compact(114).removed == 0)
            // On day 115 those of before day 105 are; in steps of two: the one that stayed, and the first two updates.
            let steps = try (0..<2).map { _ in try world.store.compact(retention, now: 115 * day, limit: 2) }
            #expect(steps.map(\.removed) == [2, 1])
            #expect(steps.map(\.isFinished) == [false, true])
            #expect(try refusal(world, start) == .gone)
            #expect(try world.changes("Clients", since: old) == ["(k2) k2|Bob|null"])
            // However old, the newest stays.
            #expect(try compact(1_000).isFinished)
            #expect(try compact(2_000).isFinished)
            #expect(try world.changes("Clients", since: new) == [])
            #expect(try refusal(world, old) == .gone)
        },
        StoreRule("a log begun anew refuses every position of before") { world throws in
            let start = try world.position()
            try world.update("Clients", [.string("k1")], "Name", .string("1"))
            try world.require(.epochs)
            try world.backend.beginEpoch()
            #expect(try refusal(world, start) == .epochChanged)
            #expect(throws: StorageError.epochChanged) { try world.store.read { try $0.changedSets(since: start) } }
            let later = try world.position()
            try world.update("Orders", [.integer(1)], "Number", .string("again"))
            #expect(try world.changes("Orders", since: later) == ["(1) 1|a|k1|2|10.5|2024-01-01T10:00:00Z"])
        },
        StoreRule("a restored copy refuses positions that it has not seen, and serves those that it has") {
            world throws in
            let early = try world.position()
            try world.update("Clients", [.string("k1")], "Name", .string("1"))
            let common = try world.position()
            try world.require(.copies)
            var lost = common
            try world.backend.takeBack {
                #expect(try refusal(world, common) == nil)
                try world.update("Clients", [.string("k1")], "Name", .string("lost"))
                lost = try world.position()
            }
            #expect(try refusal(world, lost) == .logRestored)
            // The same place in the log is given again to another change, which is not taken for the lost one.
            try world.update("Clients", [.string("k2")], "Name", .string("other"))
            #expect(try refusal(world, lost) == .logRestored)
            #expect(try world.changes("Clients", since: common) == ["(k2) k2|Bob|null"])
            #expect(try world.changes("Clients", since: early) == ["(k1) k1|Ann|4.5", "(k2) k2|Bob|null"])
            #expect(try world.row("Clients", .string("k1")) == "k1|1|4.5")
        },
        StoreRule("bytes that are no position of the log are refused") { world throws in
            let position = try world.position()
            let short = Array(position.bytes.dropLast())
            for bytes in [[], [1], [2], [UInt8](repeating: 7, count: 33), short] as [[UInt8]] {
                let code = try refusal(world, FeedPosition(bytes: bytes))
                #expect(([.gone, .epochChanged, .logRestored] as [StorageError.Code?]).contains(code))
            }
            var foreign = position.bytes
            foreign[3] ^= 1
            #expect(try refusal(world, FeedPosition(bytes: foreign)) != nil)
        },
    ]

    /// The code with which a position is refused, or `nil` when it is served.
    private static func refusal(_ world: World, _ position: FeedPosition) throws -> StorageError.Code? {
        do {
            _ = try world.changes("Clients", since: position)
            return nil
        } catch let error as StorageError {
            return error.code
        }
    }
}
