// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// What is recorded of changes to rows that came from the server.
struct RecordedChangeTests {
    private let folder: TestFolder
    private let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(
            store,
            "Tags",
            [
                ([.string("a"), .integer(1), .string("one"), .integer(5)], 1),
                ([.string("b"), .integer(2), .string("two"), .null], 2),
            ]
        )
    }

    @Test(.covers("SB-F080"))
    func `an update records what it changed beside the key, a delete the key, an insert what it was given`() throws {
        try store.write { tx in
            let isThere = try tx.update(
                Key([.string("a")]),
                ["Title": .string("first"), "Hits": .integer(5)],
                in: "Tags"
            )
            #expect(isThere)
            let wasThere = try tx.delete(Key([.string("b")]), in: "Tags")
            #expect(wasThere)
            try tx.insert(["Code": .string("c"), "Title": .string("three")], into: "Tags")
        }
        let changes = try store.pendingTransactions().flatMap(\.changes).map(\.change)
        #expect(changes.map(\.operation) == [.update, .delete, .insert])
        #expect(changes.map(\.key) == ["a", "b", "c"].map { Key([.string($0)]) })
        // Hits had the value already; the key is no assignment.
        #expect(changes[0].assignments.map(\.property) == [2])
        #expect(changes[0].assignments.map(\.before) == [.string("one")])
        #expect(changes[0].assignments.map(\.after) == [.string("first")])
    }

    @Test(.covers("SB-F079"))
    func `what was loaded is neither new nor changed, and written back as it is it stays so`() throws {
        let tags = try store.fetch(Tag.self, Fixture.plan(store, "Tags"))
        #expect(tags.map(\.title) == ["one", "two"])
        #expect(try store.pendingTransactions().isEmpty)
        try store.write { tx in
            for tag in tags {
                let isThere = try tx.update(tag)
                #expect(isThere)
            }
        }
        #expect(try store.pendingTransactions().isEmpty)
    }
}
