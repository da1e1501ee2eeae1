// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

struct ValidateTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Cinema.store(folder)
    }

    @Test func `a form asks before it saves, and nothing is changed by asking`() throws {
        try store.write { try $0.insert(Cinema.movie(1, ["Code": .string("a")]), into: "Movies") }
        let failures = try store.validate { tx in
            try tx.update(Key([.integer(1)]), ["Title": .null], in: "Movies")
            try tx.insert(Cinema.movie(2, ["Code": .string("a"), "Year": .integer(9)]), into: "Movies")
        }
        #expect(
            failures.map(line) == ["Movies(1) [Title] required", "Movies(2) [Year] minimum", "Movies(2) [Code] unique"]
        )
        #expect(try store.validate { _ = try $0.insert(Cinema.movie(2), into: "Movies") } == [])
        #expect(try Fixture.rows(store, "Movies").map { $0["Title"] } == [.string("Metropolis")])
        #expect(try store.pendingTransactions().count == 1)
        #expect(Cinema.error { try store.validate { _ = try $0.insert([:], into: "Nope") } }?.code == .unknownSet)
    }

    @Test func `asking works on a thread of the store too`() async throws {
        let failures = try await store.validate { _ = try $0.insert(Cinema.movie(1, ["Title": .null]), into: "Movies") }
        #expect(failures.map(line) == ["Movies(1) [Title] required"])
    }

    @Test func `what is missing counts for a new row alone`() throws {
        let validator = Validator(model: store.model)
        #expect(try validator.failures(of: [:], in: "Movies") == [])
        #expect(
            try validator.failures(of: [:], in: "Movies", isNew: true).map(line) == [
                "Movies [MovieId] required", "Movies [Title] required", "Movies [Price] required",
            ]
        )
        #expect(try validator.failures(of: ["TrackId": .integer(1)], in: "Tracks", isNew: true) == [])
        #expect(Cinema.error { try validator.failures(of: ["Nope": .null], in: "Tracks") }?.code == .unknownProperty)
    }

    @Test func `what the server sends is stored, whatever rule it breaks`() throws {
        let folder = try TestFolder()
        let remote = try Cinema.store(folder, origin: StoreOrigin(serviceURL: "http://x/"))
        let bad: [Value] = [
            .integer(1), .string(String(repeating: "x", count: 30)), Cinema.price(-5), .string("X"), .integer(1),
            .integer(77), .string("a"), .integer(0),
        ]
        try Fixture.load(remote, "Movies", [(bad, 1)])
        var second = bad
        (second[0], second[1]) = (.integer(2), .null)
        let report = try Fixture.stage(remote, "Movies", [(second, 2)])
        #expect(report.conflicts == [])
        let rows = try Fixture.rows(remote, "Movies")
        #expect(rows.map { $0["Title"] } == [bad[1], .null])
        #expect(rows.map { $0["Code"] } == [.string("a"), .string("a")])
        #expect(rows.map { $0["Rating"] } == [.string("X"), .string("X")])
        // What stands there already and is not changed is not looked at.
        try remote.write { try $0.update(Key([.integer(2)]), ["Restored": .integer(2000)], in: "Movies") }
        #expect(try remote.pendingTransactions().count == 1)
    }
}
