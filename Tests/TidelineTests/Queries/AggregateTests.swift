// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

struct AggregateTests {
    private let world: QueryStore
    private var store: LocalStore { world.store }

    init() throws {
        world = try QueryStore.songs([
            Song(id: 1, title: "Help", artist: "Beatles", seconds: 140, gross: 12.50, rating: 4),
            Song(id: 2, title: "Girl", artist: "Beatles", seconds: 150, gross: 7.25, rating: 3.5),
            Song(id: 3, title: "Roxanne", artist: "Police", seconds: 191, gross: nil, rating: nil),
            Song(id: 4, title: "Nobody's", artist: nil, seconds: nil, gross: 0.25, rating: 1),
        ])
    }

    @Test(.covers("MD-I53"))
    func `sum, count, least, greatest and mean are those worked out by hand`() throws {
        #expect(try store.sum(of: Song.all) { $0.seconds } == 481)
        #expect(try store.sum(of: Song.all) { $0.gross } == 20)
        #expect(try store.sum(of: Song.all) { $0.rating } == 8.5)
        #expect(try store.count(Song.all) == 4)
        #expect(try store.min(of: Song.all) { $0.seconds } == 140)
        #expect(try store.max(of: Song.all) { $0.title } == "Roxanne")
        #expect(try store.average(of: Song.where { $0.artist == "Beatles" }) { $0.seconds } == 145)
        #expect(try store.average(of: Song.where { $0.artist == "Beatles" }) { $0.rating } == 3.75)
        #expect(try store.aggregate(Song.all) { $0.artist.distinctCount } == 2)
        #expect(try store.aggregate(Song.all) { _ in Aggregate.count } == 4)
    }

    @Test(.covers("MD-I53"))
    func `of nothing there is no sum, least, greatest or mean, and the counts are 0`() throws {
        let none = Song.where { $0.id > 100 }
        #expect(try store.sum(of: none) { $0.seconds } == nil)
        #expect(try store.min(of: none) { $0.gross } == nil)
        #expect(try store.max(of: none) { $0.title } == nil)
        #expect(try store.average(of: none) { $0.rating } == nil)
        #expect(try store.count(none) == 0)
        #expect(try store.aggregate(none) { $0.title.distinctCount } == 0)
        #expect(try store.aggregate(none) { _ in Aggregate.count } == 0)
        // The only value is null.
        #expect(try store.sum(of: Song.where { $0.id == 4 }) { $0.seconds } == nil)
    }

    @Test func `an aggregate of the first ones is of these alone`() throws {
        #expect(try store.sum(of: Song.all.sorted(descending: true) { $0.seconds }.limit(2)) { $0.seconds } == 341)
        #expect(try store.sum(of: Song.all.sorted { $0.id }.offset(1).limit(2)) { $0.seconds } == 341)
    }

    @Test func `terms are aggregated as properties are`() throws {
        #expect(try store.max(of: Song.all) { $0.seconds / 60 } == 3)
        #expect(try store.aggregate(Song.all) { $0.title.count.sum } == 4 + 4 + 7 + 8)
    }

    @Test func `a transaction aggregates its own changes`() throws {
        let sum = try store.write { tx in
            try tx.insert(Song(id: 5, title: "New", seconds: 19))
            return try tx.sum(of: Song.all) { $0.seconds }
        }
        #expect(sum == 500)
        #expect(try store.read { try $0.sum(of: Song.all) { $0.seconds } } == 500)
    }

    @Test func `groups have their keys and aggregates, in the order of the keys`() throws {
        let groups = try store.fetch(
            Song.all.grouped(by: { $0.artist }) { (Aggregate.count, $0.seconds.sum, $0.gross.max) }
        )
        #expect(groups.map(\.key) == [nil, "Beatles", "Police"])
        #expect(groups.map(\.values.0) == [1, 2, 1])
        #expect(groups.map(\.values.1) == [nil, 290, 191])
        #expect(groups.map(\.values.2) == [0.25, 12.50, nil])
    }

    @Test func `groups by two terms of a part of the entities`() throws {
        let query = Song.where { $0.seconds != nil }
        let groups = try store.fetch(
            query.grouped(by: { ($0.artist, $0.seconds / 100) }) { $0.title.min }
        )
        #expect(groups.map(\.key.0) == ["Beatles", "Police"])
        #expect(groups.map(\.key.1) == [1, 1])
        #expect(groups.map(\.values) == ["Girl", "Roxanne"])
        let none = try store.fetch(Song.where { $0.id > 100 }.grouped(by: { $0.artist }) { _ in Aggregate.count })
        #expect(none.isEmpty)
    }

    @Test(.covers("MD-I88"))
    func `a search in any letter case, and collections by artist`() throws {
        #expect(try store.fetch(Song.where { $0.title.containsIgnoringCase("ROX") }).map(\.id) == [3])
        #expect(try store.fetch(Song.where { $0.title.contains("ROX") }).isEmpty)
        #expect(try store.fetch(Song.where { $0.title.hasPrefixIgnoringCase("hE") }).map(\.id) == [1])
        #expect(try store.fetch(Song.where { $0.title.hasSuffixIgnoringCase("L") }).map(\.id) == [2])
        #expect(try store.fetch(Song.where { $0.title.equalsIgnoringCase("gIRL") }).map(\.id) == [2])
        let collections = try store.collections(of: Song.all.sorted { $0.title }, by: { $0.artist })
        #expect(collections.map(\.key) == [nil, "Beatles", "Police"])
        #expect(collections.map { $0.entities.map(\.title) } == [["Nobody's"], ["Girl", "Help"], ["Roxanne"]])
    }

    @Test func `live groups tell what a commit changes, and nothing else`() async throws {
        let query = Song.all.grouped(by: { $0.artist }) { _ in Aggregate.count }
        var states = store.live(query).makeAsyncIterator()
        #expect(try await states.next()?.map(\.values) == [1, 2, 1])
        // A title is in no group's row.
        try await store.write { tx in
            try tx.update(Song(id: 3, title: "Message", artist: "Police", seconds: 191))
        }
        try await store.write { tx in try tx.insert(Song(id: 6, title: "So Lonely", artist: "Police")) }
        #expect(try await states.next()?.map(\.values) == [1, 2, 2])
    }
}
