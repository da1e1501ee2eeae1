// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct ValueValidationTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Cinema.store(folder)
    }

    @Test(.covers("MD-I04", "MD-I42", "DA-09"))
    func `a save by any way is refused with entity, key and property, all at once`() throws {
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(["MovieId": .integer(1), "Price": .null], into: "Movies")
                try tx.insert(["CoverId": .integer(1)], into: "Covers")
                try tx.insert(["SessionId": .integer(7), "Name": .string("Opening")], into: "Sessions")
            }
        }
        #expect(error?.code == .nullValue)
        #expect(error?.set == "Movies")
        #expect(error?.properties == ["Title"])
        #expect(
            error?.failures.map(line) == [
                "Movies(1) [Title] required", "Movies(1) [Price] required", "Sessions(7) [Track] required",
            ]
        )
        #expect(error?.message == "Title is required.\nPrice is required.\nTrack is required.")
        #expect(try store.count(Fixture.plan(store, "Covers")) == 0)

        try store.write { try $0.insert(Cinema.movie(1), into: "Movies") }
        let key = Key([.integer(1)])
        let update = Cinema.error { try store.write { try $0.update(key, ["Title": .null], in: "Movies") } }
        #expect(update?.failures.map(line) == ["Movies(1) [Title] required"])
        let sql = Cinema.error { try store.raw { try $0.execute("UPDATE Movies SET Title = NULL, Price = -100") } }
        #expect(sql?.failures.map(line) == ["Movies(1) [Title] required", "Movies(1) [Price] minimum"])
        #expect(try Fixture.rows(store, "Movies").map { $0["Title"] } == [.string("Metropolis")])
        #expect(try store.pendingTransactions().count == 1)
    }

    @Test(
        .covers("MD-I43"),
        arguments: [
            ("Title", Value.string("  "), ["pattern"]),
            ("Title", .string(String(repeating: " ", count: 21)), ["maxLength", "pattern"]),
            ("Title", .string(String(repeating: "é", count: 20)), []),
            ("Title", .string("a\u{0}"), ["range"]),
            ("Price", Cinema.price(-1), ["minimum"]), ("Price", Cinema.price(0), []),
            ("Price", .decimal(EdmDecimal(coefficient: 1, scale: 3)), ["scale"]),
            ("Price", .integer(10000), ["precision"]), ("Price", .string("abc"), ["type"]),
            ("Rating", .string("X"), ["allowedValues"]), ("Rating", .string("PG"), []), ("Rating", .null, []),
            ("Year", .integer(1887), ["minimum"]), ("Year", .integer(1888), []), ("Year", .integer(2101), ["maximum"]),
            ("Year", .integer(1 << 40), ["range"]),
        ]
    )
    func `each broken rule of a property is told once, a value that keeps them is saved`(
        property: String,
        value: Value,
        rules: [String]
    ) throws {
        let inserted = Cinema.error {
            try store.write { try $0.insert(Cinema.movie(5, [property: value]), into: "Movies") }
        }
        let expected = rules.map { "Movies(5) [\(property)] \($0)" }
        #expect((inserted?.failures ?? []).map(line) == expected)
        #expect(try Fixture.rows(store, "Movies").count == (rules.isEmpty ? 1 : 0))
        if !rules.isEmpty { try store.write { try $0.insert(Cinema.movie(5), into: "Movies") } }
        let changed = Cinema.error {
            try store.write { try $0.update(Key([.integer(5)]), [property: value], in: "Movies") }
        }
        #expect((changed?.failures ?? []).map(line) == expected)
        let alone = try Validator(model: store.model).failures(
            of: ["MovieId": .integer(5), property: value],
            in: "Movies"
        )
        #expect(alone.map(line) == expected)
    }

    @Test(.covers("MD-I38"))
    func `what a form left empty or wrong is named field by field, with sentences for a person`() throws {
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(Cinema.movie(1, ["Title": .string(""), "Price": .null]), into: "Movies")
                try tx.insert(Cinema.movie(2, ["Price": .string("abc"), "Year": .integer(3000)]), into: "Movies")
                try tx.insert(Cinema.movie(3, ["Price": Cinema.price(0)]), into: "Movies")
            }
        }
        #expect(
            error?.failures.map(\.message) == [
                "Title does not have the form that is asked for.", "Price is required.",
                "Price has a value of the wrong kind.", "Year must be at most 2100.",
            ]
        )
        #expect(error?.failures[3].arguments == ["maximum": .integer(2100)])
        #expect(error?.failures.map(\.key) == [1, 1, 2, 2].map { Key([.integer($0)]) })
    }

    @Test(.covers("SB-F065"))
    func `declared sizes and nullability are enforced, defaults fill in`() throws {
        let long = Value.string(String(repeating: "n", count: 129))
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(["TrackId": .integer(1)], into: "Tracks")
                try tx.insert(["SessionId": .integer(1), "Name": long, "Track": .integer(1)], into: "Sessions")
                try tx.insert(["SessionId": .integer(2), "Name": .null, "Track": .integer(1)], into: "Sessions")
            }
        }
        #expect(error?.failures.map(line) == ["Sessions(1) [Name] maxLength", "Sessions(2) [Name] required"])
        #expect(error?.failures[0].arguments == ["maxLength": .integer(128)])
        try store.write { tx in
            try tx.insert(["TrackId": .integer(1)], into: "Tracks")
            let fits = Value.string(String(repeating: "n", count: 128))
            try tx.insert(["SessionId": .integer(1), "Name": fits, "Track": .integer(1)], into: "Sessions")
        }
        #expect(try Fixture.rows(store, "Tracks") == [["TrackId": .integer(1), "Name": .string("Untitled")]])
    }

    @Test(.covers("DA-09"))
    func `what can only be read is refused by its name, what is immutable is given once`() throws {
        let id: [String: Value] = ["StudioId": .integer(1), "City": .string("Babelsberg")]
        let inserted = Cinema.error {
            try store.write { try $0.insert(id.merging(["Rank": .integer(1)]) { $1 }, into: "Studios") }
        }
        #expect(inserted?.code == .readOnly && inserted?.set == "Studios" && inserted?.properties == ["Rank"])
        try store.write { try $0.insert(id, into: "Studios") }
        for (property, value) in [("Rank", Value.integer(1)), ("City", .string("Berlin"))] {
            let error = Cinema.error {
                try store.write { try $0.update(Key([.integer(1)]), [property: value], in: "Studios") }
            }
            #expect(error?.code == .readOnly && error?.properties == [property])
        }
        try store.write { try $0.update(Key([.integer(1)]), ["City": .string("Babelsberg")], in: "Studios") }
        #expect(try store.pendingTransactions().count == 1)
    }

    @Test(arguments: [
        "UPDATE Studios SET Rank = 1": "Rank", "UPDATE Studios SET City = 'Berlin'": "City",
        "INSERT INTO Studios (StudioId, Rank) VALUES (2, 1)": "Rank",
    ])
    func `SQL is refused what can only be read and what is immutable`(sql: String, property: String) throws {
        try store.write { try $0.insert(["StudioId": .integer(1), "City": .string("Paris")], into: "Studios") }
        let before = try Fixture.rows(store, "Studios")
        let error = Cinema.error { try store.raw { try $0.execute(sql) } }
        #expect(error?.code == .readOnly && error?.properties == [property])
        #expect(try Fixture.rows(store, "Studios") == before)
        try store.raw { try $0.execute("INSERT INTO Studios (StudioId, City) VALUES (2, 'Rome')") }
        #expect(try store.pendingTransactions().count == 2)
    }

    @Test func `what counts is how a row ends: a value put right and a row deleted break nothing`() throws {
        try store.write { tx in
            let key = try tx.insert(Cinema.movie(1, ["Title": .string("")]), into: "Movies")
            try tx.update(key, ["Title": .string("Faust")], in: "Movies")
            let other = try tx.insert(Cinema.movie(2, ["Year": .integer(1)]), into: "Movies")
            try tx.delete(other, in: "Movies")
        }
        #expect(try Fixture.rows(store, "Movies").map { $0["Title"] } == [.string("Faust")])
        let again = Cinema.error {
            try store.write { tx in
                let key = try tx.insert(Cinema.movie(3, ["Year": .integer(1), "Rating": .string("X")]), into: "Movies")
                // The same value again puts nothing right.
                try tx.update(key, ["Year": .integer(1), "Rating": .null], in: "Movies")
            }
        }
        #expect(again?.failures.map(line) == ["Movies(3) [Year] minimum"])
        let twice = Cinema.error {
            try store.write { tx in
                try tx.update(Key([.integer(1)]), ["Year": .integer(1)], in: "Movies")
                try tx.update(Key([.integer(1)]), ["Year": .integer(2)], in: "Movies")
            }
        }
        #expect(twice?.failures.map(line) == ["Movies(1) [Year] minimum"])
    }

    @Test func `taken keys, taken values and lost references are told with the rest`() throws {
        try store.write { try $0.insert(Cinema.movie(1, ["Code": .string("a")]), into: "Movies") }
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(Cinema.movie(2, ["Code": .string("a"), "Rating": .string("Z")]), into: "Movies")
                try tx.insert(Cinema.movie(3, ["Studio": .integer(9)]), into: "Movies")
                try tx.insert(Cinema.movie(4, ["Studio": .integer(9)]), into: "Movies")
                try tx.insert(["Title": .string("No key"), "Price": Cinema.price(1)], into: "Movies")
                try tx.insert(Cinema.movie(1, ["Title": .string("Nosferatu")]), into: "Movies")
            }
        }
        #expect(error?.code == .invalidValue)
        #expect(
            error?.failures.map(line) == [
                "Movies(2) [Rating] allowedValues", "Movies(null) [MovieId] required", "Movies(1) [MovieId] key",
                "Movies(3) [Studio] reference", "Movies(4) [Studio] reference", "Movies(2) [Code] unique",
            ]
        )
        #expect(try Fixture.rows(store, "Movies").map { $0["Title"] } == [.string("Metropolis")])
    }

    @Test func `a taken key is told at once, so that the row can be changed instead`() throws {
        try store.write { try $0.insert(Cinema.movie(1), into: "Movies") }
        try store.write { tx in
            #expect(Cinema.error { try tx.insert(Cinema.movie(1), into: "Movies") }?.code == .duplicateKey)
            try tx.update(Key([.integer(1)]), ["Title": .string("Again")], in: "Movies")
        }
        #expect(try Fixture.rows(store, "Movies").map { $0["Title"] } == [.string("Again")])
        let error = Cinema.error { try store.write { try $0.insert(Cinema.movie(1), into: "Movies") } }
        #expect(error?.code == .duplicateKey && error?.failures.map(line) == ["Movies(1) [MovieId] key"])
    }

    @Test func `a part that breaks rules fails alone`() throws {
        try store.write { tx in
            let part = Cinema.error {
                try tx.savepoint { try $0.insert(Cinema.movie(1, ["Title": .null]), into: "Movies") }
            }
            #expect(part?.code == .nullValue && part?.failures.map(line) == ["Movies(1) [Title] required"])
            try tx.savepoint { try $0.insert(Cinema.movie(2), into: "Movies") }
        }
        #expect(try Fixture.rows(store, "Movies").map { $0["MovieId"] } == [.integer(2)])
    }

    @Test func `an error that ends the closure brings what was noted before it`() throws {
        let error = Cinema.error {
            try store.write { tx in
                try tx.insert(Cinema.movie(1, ["Title": .null]), into: "Movies")
                try tx.insert(["Nope": .null], into: "Movies")
            }
        }
        #expect(error?.code == .unknownProperty)
        #expect(error?.failures.map(line) == ["Movies(1) [Title] required"])
    }

    @Test func `a thousand failures end a transaction at once`() throws {
        var made = 0
        let error = Cinema.error {
            try store.write { tx in
                for id in 1...5000 {
                    made = id
                    try tx.insert(Cinema.movie(Int64(id), ["Title": .null]), into: "Movies")
                }
            }
        }
        #expect(error?.failures.count == 1000)
        #expect(made == 1000)
        #expect(error?.message.hasSuffix("\n(990 more)") == true)
    }
}
