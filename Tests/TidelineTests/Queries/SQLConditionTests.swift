// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

/// Conditions in SQL and statements with values, beside typed predicates.
struct SQLConditionTests {
    private let world: QueryStore
    private var store: LocalStore { world.store }

    init() throws {
        world = try QueryStore.songs([
            Song(id: 1, title: "Help", artist: "Beatles", seconds: 140), Song(id: 2, title: "Girl", artist: "Beatles"),
            Song(id: 3, title: "Roxanne", artist: "Police", seconds: 191), Song(id: 4, title: "100% '?'", seconds: 60),
        ])
    }

    private func ids(_ query: Query<Song>) throws -> [Int32] { try store.fetch(query).map(\.id) }

    @Test(.covers("SB-F074"))
    func `a text and its values in order, wherever a query goes`() throws {
        let query = Song.where(sql: "length(Title) > ? AND Seconds < ?", 3, 150)
        #expect(try ids(query) == [1, 4])
        #expect(try store.count(query) == 2)
        #expect(try store.first(query)?.id == 1)
        #expect(try store.sum(of: query) { $0.seconds } == 200)
        #expect(try store.read { try $0.fetch(query).map(\.id) } == [1, 4])
        #expect(try store.write { tx in try tx.fetch(query).map(\.id) } == [1, 4])
        let rows = try store.raw { try $0.rows("SELECT Title FROM Songs WHERE SongId = ?", [.integer(3)]) }
        #expect(rows == [[.string("Roxanne")]])
    }

    @Test(.covers("SB-F075"))
    func `without a condition all rows come, and conditions are joined with and, their values in order`() throws {
        #expect(try ids(Song.all) == [1, 2, 3, 4])
        let query = Song.where(sql: "Seconds > ?", 100).where { $0.artist == "Police" }.where(sql: "Seconds < ?", 200)
        #expect(try ids(query) == [3])
    }

    @Test(.covers("SB-F076"))
    func `equal, not equal, null, less, like, in, or, order and limit`() throws {
        #expect(try ids(Song.where { $0.artist == "Beatles" }) == [1, 2])
        #expect(try ids(Song.where { $0.artist != "Beatles" }) == [3, 4])
        #expect(try ids(Song.where { $0.seconds == nil }) == [2])
        #expect(try ids(Song.where { $0.seconds != nil }) == [1, 3, 4])
        #expect(try ids(Song.where { $0.seconds <= 140 || $0.artist == "Police" }) == [1, 3, 4])
        #expect(try ids(Song.where { $0.title.contains("%") }) == [4])
        #expect(try ids(Song.where { $0.id.isIn([2, 4]) }) == [2, 4])
        #expect(try ids(Song.all.sorted(descending: true) { $0.title }.limit(2)) == [3, 1])
    }

    @Test(.covers("SB-F077"))
    func `a condition in free SQL, and words that are searched`() throws {
        #expect(try ids(Song.where(sql: "Title GLOB ?", "[GH]*")) == [1, 2])
        // Marks in quotes and comments are no parameters.
        #expect(try ids(Song.where(sql: "Title LIKE '%?%' /* ? */ AND SongId = ? -- ?", 4)) == [4])
        #expect(try ids(Song.all.matching("roxanne") { [$0.title] }) == [3])
    }

    @Test(.covers("SB-F078"))
    func `the first of a query, or none`() throws {
        #expect(try store.first(Song.all.sorted { $0.title })?.id == 4)
        #expect(try store.first(Song.where { $0.id == 99 }) == nil)
        #expect(try store.read { try $0.first(Song.where { $0.id == 2 })?.title } == "Girl")
    }

    @Test(.covers("SB-F081"), arguments: ["SongId = ?", "SongId = ? AND Title = ?", "SongId = ?2", "SongId = :id"])
    func `a parameter without a value is an error`(text: String) throws {
        let refusal = #expect(throws: LocalStoreError.self) { try ids(Song.where(sql: text)) }
        #expect(refusal?.code == .invalidSQL)
        let raw = #expect(throws: LocalStoreError.self) {
            try store.raw { try $0.rows("SELECT * FROM Songs WHERE \(text)") }
        }
        #expect(raw?.code == .invalidSQL)
    }

    @Test(arguments: ["SongId = ?1", "1) OR (1 = ?", "1 = ? LIMIT 1", "Nothing = ?", "1 = ?; DELETE FROM Songs"])
    func `a text that is no condition with plain marks is refused`(text: String) throws {
        let refusal = #expect(throws: LocalStoreError.self) { try ids(Song.where(sql: text, 1)) }
        #expect(refusal?.code == .invalidSQL)
        #expect(try store.count(Song.all) == 4)
    }

    @Test(.covers("SB-F082"))
    func `reads and writes that fail leave the store open to others, and to be closed`() throws {
        struct Stop: Error {}
        for _ in 0..<50 {
            #expect(throws: Stop.self) { try store.read { _ in throw Stop() } }
            #expect(throws: Stop.self) {
                try store.write { tx in
                    try tx.insert(Song(id: 50, title: "lost"))
                    throw Stop()
                }
            }
            #expect(throws: LocalStoreError.self) { try store.raw { _ = try $0.rows("SELECT nothing") } }
        }
        #expect(try ids(Song.all) == [1, 2, 3, 4])
        try store.close()
        #expect(throws: (any Error).self) { try ids(Song.all) }
    }
}
