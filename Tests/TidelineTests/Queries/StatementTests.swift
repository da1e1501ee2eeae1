// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import Tideline
import TidelineTestSupport

/// Statements of the app's own: what goes in comes out, values stay values, transactions are whole.
struct StatementTests {
    private let world: QueryStore
    private var store: LocalStore { world.store }

    init() throws {
        world = try QueryStore(EntityModel(Item.self))
    }

    @Test(.covers("MD-I29"))
    func `the greatest integer, a double, text, bytes and null are read as they were written`() throws {
        let item = Item(id: 1, name: "Ünïcode \u{1F34E}", photo: [0, 255, 0], stock: .max, weight: 0.1)
        let empty = Item(id: 2, name: "", photo: nil, stock: .min, weight: nil)
        try store.write { tx in try tx.insert(contentsOf: [item, empty]) }
        #expect(try store.fetch(Item.all) == [item, empty])
        let rows = try store.raw { try $0.rows("SELECT * FROM Items ORDER BY ItemId") }
        #expect(
            rows.map { Array($0.prefix(5)) } == [
                [
                    .integer(1), .string("Ünïcode \u{1F34E}"), .binary([0, 255, 0]), .integer(.max),
                    .double(0.1),
                ],
                [.integer(2), .string(""), .null, .integer(.min), .null],
            ]
        )
        try store.raw { sql in
            let values: [Value] = [.string("n"), .binary([1]), .integer(9), .double(-2.5), .integer(2)]
            let text = "UPDATE Items SET Name = ?, Photo = ?, Stock = ?, Weight = ? WHERE ItemId = ?"
            let changed = try sql.execute(text, values)
            #expect(changed == 1)
        }
        #expect(
            try store.fetch(Item.self, key: Int32(2)) == Item(id: 2, name: "n", photo: [1], stock: 9, weight: -2.5)
        )
    }

    @Test(.covers("MD-I02"))
    func `two texts and a decimal are after a restart as they were saved, empty texts among them`() throws {
        let world = try QueryStore(EntityModel(Film.self))
        var films = [
            Film(id: 1, title: "M", gross: 65_000_000, summary: ""),
            Film(id: 2, title: "Ünï \u{1F34E}", gross: EdmDecimal(coefficient: 1, scale: 2), summary: "two\nlines"),
            Film(id: 3, title: "", gross: EdmDecimal(coefficient: 999_999_999_999, scale: 2), summary: " "),
        ]
        try world.store.write { [films] tx in try tx.insert(contentsOf: films) }
        try world.store.close()
        let second = try LocalStore(path: world.path)
        #expect(try second.fetch(Film.all.sorted { $0.id }) == films)
        films[1] = Film(id: 2, title: "Tide", gross: EdmDecimal(coefficient: -5, scale: 1), summary: "")
        let isThere = try second.write { [film = films[1]] tx in try tx.update(film) }
        #expect(isThere)
        try second.close()
        let third = try LocalStore(path: world.path)
        #expect(try third.fetch(Film.all.sorted { $0.id }) == films)
        try third.close()
    }

    @Test(.covers("MD-I30"))
    func `a text that would end a statement is stored as it is`() throws {
        let name = #"12" pizza'); drop table shoppinglist;--"#
        try store.write { tx in try tx.insert(Item(id: 1, name: name)) }
        try store.raw {
            try $0.execute("INSERT INTO Items (ItemId, Name) VALUES (?, ?)", [.integer(2), .string(name)])
        }
        #expect(try store.fetch(Item.where { $0.name == name }).map(\.id) == [1, 2])
        #expect(try store.fetch(Item.where(sql: "Name = ?", name)).map(\.id) == [1, 2])
        #expect(try store.count(Item.all) == 2)
    }

    @Test(.covers("MD-I31"))
    func `the third of five writes fails and nothing is left`() throws {
        #expect(throws: LocalStoreError.self) {
            try store.write { tx in
                for id in [1, 2, 2, 3, 4] { try tx.insert(Item(id: Int32(id), name: "n")) }
            }
        }
        #expect(try store.count(Item.all) == 0)
        #expect(try store.pendingTransactions().isEmpty)
    }

    @Test(.covers("MD-I31"))
    func `a savepoint inside rolls back alone, its changes are not recorded`() throws {
        struct Stop: Error {}
        try store.write { tx in
            try tx.insert(Item(id: 1, name: "outer"))
            #expect(throws: Stop.self) {
                try tx.savepoint { part in
                    try part.insert(Item(id: 2, name: "inner"))
                    let isThere = try part.update(Item(id: 1, name: "changed"))
                    #expect(isThere)
                    try part.savepoint { try $0.insert(Item(id: 3, name: "innermost")) }
                    let count = try part.count(Item.all)
                    #expect(count == 3)
                    throw Stop()
                }
            }
            let left = try tx.fetch(Item.all)
            #expect(left == [Item(id: 1, name: "outer")])
            try tx.savepoint { try $0.insert(Item(id: 4, name: "kept")) }
        }
        #expect(try store.fetch(Item.all).map(\.name) == ["outer", "kept"])
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(changes.map(\.key) == [Key([.integer(1)]), Key([.integer(4)])])
        #expect(changes.map(\.operation) == [.insert, .insert])
    }

    @Test func `a transaction whose only part failed records nothing`() throws {
        struct Stop: Error {}
        try store.write { tx in
            #expect(throws: Stop.self) {
                try tx.savepoint { part in
                    try part.insert(Item(id: 2, name: "inner"))
                    throw Stop()
                }
            }
        }
        #expect(try store.pendingTransactions().isEmpty)
        #expect(try store.count(Item.all) == 0)
    }

    @Test func `changes of statements are tracked and told to live results`() async throws {
        var states = store.live(Item.all).makeAsyncIterator()
        #expect(try await states.next() == [])
        try store.raw { sql in
            _ = try sql.execute("INSERT INTO Items (ItemId, Name) VALUES (?, 'a')", [.integer(7)])
        }
        #expect(try await states.next() == [Item(id: 7, name: "a")])
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(changes.map(\.key) == [Key([.integer(7)])])
    }
}
