// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Tideline
import TidelineTestSupport

struct SortTests {
    private func titles(_ world: QueryStore, _ query: Query<Song>) throws -> [String] {
        try world.store.fetch(query).map(\.title)
    }

    @Test(.covers("MD-I07"))
    func `by one key, by its reverse and by two keys`() throws {
        let world = try QueryStore.songs([
            Song(id: 1, title: "Help", gross: 10), Song(id: 2, title: "Yesterday", gross: 5),
            Song(id: 3, title: "Help", gross: 30), Song(id: 4, title: "Girl", gross: 20),
        ])
        let store = world.store
        #expect(try store.fetch(Song.all.sorted { $0.gross }).map(\.id) == [2, 1, 4, 3])
        #expect(try store.fetch(Song.all.sorted(descending: true) { $0.gross }).map(\.id) == [3, 4, 1, 2])
        let both = Song.all.sorted { $0.title }.sorted(descending: true) { $0.gross }
        #expect(try store.fetch(both).map(\.id) == [4, 3, 1, 2])
    }

    @Test func `null comes first, and last where the order descends`() throws {
        let world = try QueryStore.songs([
            Song(id: 1, title: "a", seconds: 5), Song(id: 2, title: "b"), Song(id: 3, title: "c", seconds: 1),
        ])
        #expect(try titles(world, Song.all.sorted { $0.seconds }) == ["b", "c", "a"])
        #expect(try titles(world, Song.all.sorted(descending: true) { $0.seconds }) == ["a", "c", "b"])
    }

    @Test(.covers("MD-I08"))
    func `without regard to case, what is alike in the order of the key`() throws {
        let world = try QueryStore.songs([
            Song(id: 1, title: "cherry"), Song(id: 2, title: "Banana"), Song(id: 3, title: "apple"),
            Song(id: 4, title: "BANANA"), Song(id: 5, title: "banana"),
        ])
        let order = ["apple", "Banana", "BANANA", "banana", "cherry"]
        #expect(try titles(world, Song.all.sorted(.caseInsensitive) { $0.title }) == order)
        #expect(
            try titles(world, Song.all.sorted(.caseInsensitive, descending: true) { $0.title })
                == ["cherry", "Banana", "BANANA", "banana", "apple"]
        )
        let exact = ["BANANA", "Banana", "apple", "banana", "cherry"]
        #expect(try titles(world, Song.all.sorted(.exact) { $0.title }) == exact)
    }

    @Test func `in the order of a language, on a store and over entities at hand alike`() throws {
        let songs = ["Zebra", "éclair", "eagle", "fig", "Eagle"].enumerated().map {
            Song(id: Int32($0.offset), title: $0.element)
        }
        let world = try QueryStore.songs(songs)
        let query = Song.all.sorted(.localized(Locale(identifier: "fr_FR"))) { $0.title }
        let order = try titles(world, query)
        #expect(order.map { $0.lowercased() } == ["eagle", "eagle", "éclair", "fig", "zebra"])
        #expect(try query.sorted(songs).map(\.title) == order)
        // By the bytes, capitals stand first and accents last.
        let exact = ["Eagle", "Zebra", "eagle", "fig", "éclair"]
        #expect(try titles(world, Song.all.sorted { $0.title }) == exact)
    }

    @Test func `an order of a language makes no index`() throws {
        let world = try QueryStore.songs([Song(id: 1, title: "a")])
        let query = Song.all.sorted(.localized(Locale(identifier: "de_DE"))) { $0.title }
        #expect(try titles(world, query) == ["a"])
        let indexes = try world.store.raw { sql in
            try sql.rows("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%COLLATE%'")
        }
        #expect(indexes == [[.integer(0)]])
    }

    @Test(.covers("MD-I11"), arguments: Seeds.chosen(or: 1..<6))
    func `the greatest five, whatever the order of insertion`(seed: UInt64) throws {
        var chance = SystemChance(seed)
        let songs = (1...60).map { Song(id: Int32($0), title: "t\($0)", seconds: Int32($0 * 7 % 61)) }
        let world = try QueryStore.songs(songs.shuffled(using: &chance))
        // 7n mod 61 takes each of 1 to 60 once: 60, 59, 58, 57, 56 for these.
        let expected = (56...60).reversed().map { wanted in songs.first { $0.seconds == Int32(wanted) } }
        #expect(try world.store.fetch(Song.all.top(5) { $0.seconds }) == expected, "seed \(seed)")
    }

    @Test func `pages are read in any order, the last one shorter, those after it empty`() throws {
        let world = try QueryStore.songs((0..<10).map { Song(id: Int32($0), title: "\($0)") })
        let query = Song.all.sorted(descending: true) { $0.title }
        #expect(try titles(world, query.page(2, size: 4)) == ["1", "0"])
        #expect(try titles(world, query.page(0, size: 4)) == ["9", "8", "7", "6"])
        #expect(try titles(world, query.page(1, size: 4)) == ["5", "4", "3", "2"])
        #expect(try titles(world, query.page(3, size: 4)) == [])
    }
}

/// Numbers of a seed.
struct SystemChance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
