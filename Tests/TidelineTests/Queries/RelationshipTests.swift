// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineModel
import TidelineStorage
import TidelineTestSupport

struct RelationshipTests {
    private let trackA = Track(id: 1, name: "A' or 1 eq 1")
    private let trackB = Track(id: 2, name: "B")

    private func sessions() throws -> QueryStore {
        let world = try QueryStore(EntityModel(Track.self, ConferenceSession.self))
        try world.store.write { tx in
            try tx.insert(contentsOf: [trackA, trackB])
            try tx.insert(ConferenceSession(code: "a1", trackId: 1))
            try tx.insert(ConferenceSession(code: "b1", trackId: 2))
            try tx.insert(ConferenceSession(code: "a2", trackId: 1))
            try tx.insert(ConferenceSession(code: "none"))
        }
        return world
    }

    @Test(.covers("MD-I52"))
    func `sessions of a track are found by the track itself, which is bound`() throws {
        let world = try sessions()
        let store = world.store
        let query = ConferenceSession.where { $0.track == trackA }.sorted { $0.code }
        #expect(try store.fetch(query).map(\.code) == ["a1", "a2"])
        #expect(try store.fetch(ConferenceSession.where { $0.track == trackB }).map(\.code) == ["b1"])
        let others = try store.fetch(ConferenceSession.where { $0.track != trackA }.sorted { $0.code })
        #expect(others.map(\.code) == ["b1", "none"])
        // The object is its key, a value beside the statement.
        #expect(PredicateTests.text(query.filter) == "(Track/TrackId eq 1)")
        let set = ConferenceSession.entitySet
        let model = EntityModel(Track.self, ConferenceSession.self)
        let filter = try ExpressionChecker(model: model, set: set).condition(#require(query.filter))
        let plan = ReadPlan(model: model, set: set, filter: filter, columns: [0], includesETag: false)
        let select = SelectStatement(plan: plan, dialect: SQLiteDialect())
        #expect(select.bindings == [.integer(1)])
        #expect(select.text.contains("?1") && !select.text.contains("?2"))
    }

    @Test func `a text with SQL in it finds what has that text`() throws {
        let world = try sessions()
        let store = world.store
        #expect(try store.fetch(ConferenceSession.where { $0.track.name == trackA.name }).count == 2)
    }

    @Test func `no track is found by nil`() throws {
        let world = try sessions()
        let store = world.store
        let none: Track? = nil
        #expect(try store.fetch(ConferenceSession.where { $0.track == none }).map(\.code) == ["none"])
        #expect(try store.fetch(ConferenceSession.where { $0.track != none }).count == 3)
    }

    @Test func `a composite key is compared part by part`() throws {
        let filter = ItemAtStore.where { $0.item == Item(id: 7, name: "x") && $0.store == Store(id: 8, name: "y") }
            .filter
        #expect(PredicateTests.text(filter) == "((Item/ItemId eq 7) and (Store/StoreId eq 8))")
    }

    @Test(.covers("MD-I39"))
    func `an item in two stores lists both, and goes with its rows there`() throws {
        let world = try QueryStore(EntityModel(Item.self, Store.self, ItemAtStore.self))
        let (milk, tea) = (Item(id: 1, name: "Milk"), Item(id: 2, name: "Tea"))
        try world.store.write { tx in
            try tx.insert(contentsOf: [milk, tea])
            try tx.insert(contentsOf: [Store(id: 1, name: "North"), Store(id: 2, name: "South")])
            try tx.insert(contentsOf: [
                ItemAtStore(itemId: 1, storeId: 1), ItemAtStore(itemId: 1, storeId: 2),
                ItemAtStore(itemId: 2, storeId: 2),
            ])
        }
        func stores(of item: Item) throws -> [String?] {
            try world.store.values(of: ItemAtStore.where { $0.item == item }.sorted { $0.store.name }) { $0.store.name }
        }
        #expect(try stores(of: milk) == ["North", "South"])
        #expect(try stores(of: tea) == ["South"])
        try world.store.write { tx in _ = try tx.delete(milk) }
        #expect(try stores(of: milk) == [])
        #expect(try world.store.fetch(ItemAtStore.all) == [ItemAtStore(itemId: 2, storeId: 2)])
        #expect(try world.store.count(Store.all) == 2)
    }

    @Test(.covers("MD-I54"))
    func `150 sessions get the numbers 1 to 150, by the greatest number and not the greatest text`() throws {
        let world = try QueryStore(EntityModel(Track.self, ConferenceSession.self))
        for _ in 1...150 {
            try world.store.write { tx in
                let next = (try tx.max(of: ConferenceSession.all) { $0.number } ?? 0) + 1
                let digits = String(next)
                let code = "Session" + String(repeating: "0", count: max(0, 2 - digits.count)) + digits
                try tx.insert(ConferenceSession(code: code, number: next))
            }
        }
        let sessions = try world.store.fetch(ConferenceSession.all.sorted { $0.number })
        #expect(sessions.map(\.number) == Array(1...150))
        #expect(sessions.first?.code == "Session01")
        #expect(sessions.last?.code == "Session150")
        #expect(Set(sessions.map(\.code)).count == 150)
        // As text, the greatest is another.
        #expect(try world.store.max(of: ConferenceSession.all) { $0.code } == "Session99")
    }
}
