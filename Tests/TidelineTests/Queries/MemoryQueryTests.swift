// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

/// The same queries over entities at hand and in a store.
struct MemoryQueryTests {
    private static let queries: [Query<Song>] = [
        Song.all,
        Song.where { $0.seconds > 100 },
        Song.where { $0.artist == nil || $0.title.hasPrefix("t1") },
        Song.where { !($0.gross < 50) }.sorted(descending: true) { $0.gross },
        Song.where { $0.artist != "b" }.sorted { $0.artist }.sorted(descending: true) { $0.seconds },
        Song.all.sorted(.caseInsensitive) { $0.title }.offset(3).limit(7),
        Song.where { $0.rating * 2 >= 3 && $0.id % 3 != 1 }.sorted { $0.rating },
        Song.all.top(5) { $0.seconds },
    ]

    /// What each query means, written by hand: the condition, and what comes first.
    private static func bruteForce(_ number: Int, _ songs: [Song]) -> [Song] {
        let byKey = songs.sorted { $0.id < $1.id }
        switch number {
        case 1: return byKey.filter { ($0.seconds ?? 0) > 100 }
        case 2: return byKey.filter { $0.artist == nil || $0.title.hasPrefix("t1") }
        case 7:
            let nullsLast = byKey.sorted { ($0.seconds ?? -1, -$0.id) > ($1.seconds ?? -1, -$1.id) }
            return Array(nullsLast.prefix(5))
        default: return byKey
        }
    }

    private static func song(_ id: Int32, _ chance: inout SystemChance) -> Song {
        Song(
            id: id,
            title: (Bool.random(using: &chance) ? "t" : "T") + "\(Int.random(in: 0..<30, using: &chance))",
            artist: ["a", "b", "B", nil].randomElement(using: &chance) ?? nil,
            seconds: Bool.random(using: &chance) ? Int32.random(in: 0..<200, using: &chance) : nil,
            gross: Bool.random(using: &chance)
                ? EdmDecimal(coefficient: Int128.random(in: 0..<9_999, using: &chance), scale: 2) : nil,
            rating: Bool.random(using: &chance) ? Double(Int.random(in: 0..<8, using: &chance)) / 2 : nil
        )
    }

    @Test(.covers("DA-43"), arguments: Seeds.chosen(or: 1..<3))
    func `after each of 1000 random edits the results are the same`(seed: UInt64) throws {
        var chance = SystemChance(seed)
        let world = try QueryStore(EntityModel(Song.self))
        var songs: [Int32: Song] = [:]
        for step in 0..<1_000 {
            let id = Int32.random(in: 0..<60, using: &chance)
            let song = Self.song(id, &chance)
            try world.store.write { tx in
                if songs[id] == nil {
                    try tx.insert(song)
                    songs[id] = song
                } else if Int.random(in: 0..<3, using: &chance) == 0 {
                    _ = try tx.delete(song)
                    songs[id] = nil
                } else {
                    _ = try tx.update(song)
                    songs[id] = song
                }
            }
            // One query after each edit, and all of them now and then.
            let numbers = step % 50 == 49 ? Array(Self.queries.indices) : [step % Self.queries.count]
            for number in numbers {
                let found = try world.store.fetch(Self.queries[number])
                let all = songs.values.shuffled(using: &chance)
                let expected = try Self.queries[number].evaluated(over: all)
                #expect(found == expected, "seed \(seed), step \(step), query \(number)")
                if [0, 1, 2, 7].contains(number) {
                    #expect(found == Self.bruteForce(number, all), "seed \(seed), step \(step), query \(number)")
                }
            }
        }
    }

    @Test func `an entity is asked alone`() throws {
        let song = Song(id: 1, title: "Help", seconds: 140)
        #expect(try Song.where { $0.seconds > 100 }.matches(song))
        #expect(try !Song.where { $0.seconds > 200 }.matches(song))
        #expect(try Song.where { $0.artist == nil }.filtered([song, Song(id: 2, title: "x", artist: "y")]) == [song])
        #expect(try Song.all.matching("help") { [$0.title] }.matches(song))
    }

    @Test func `what needs other entities, or SQL, asks for a store`() throws {
        let session = ConferenceSession(id: 1, trackId: 1)
        let refusal = #expect(throws: LocalStoreError.self) {
            try ConferenceSession.where { $0.track.name == "A" }.matches(session)
        }
        #expect(refusal?.code == .unsupported)
        let order = #expect(throws: LocalStoreError.self) {
            try ConferenceSession.all.sorted { $0.track.name }.sorted([session])
        }
        #expect(order?.code == .unsupported)
        #expect(throws: LocalStoreError.self) { try ConferenceSession.where(sql: "1 = 1").matches(session) }
    }
}
