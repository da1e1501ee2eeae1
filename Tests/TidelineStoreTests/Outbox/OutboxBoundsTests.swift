// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// The bounds of what waits to be sent.
struct OutboxBoundsTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func insert(_ store: LocalStore, _ code: String) throws {
        try store.write { try $0.insert(["Code": .string(code), "Rank": .null], into: "Tags") }
    }

    private func codes(_ store: LocalStore) throws -> [Value?] { try Fixture.rows(store, "Tags").map { $0["Code"] } }

    private func refusal(_ body: () throws -> Void) -> LocalStoreError? {
        do { try body() } catch { return error as? LocalStoreError }
        return nil
    }

    @Test func `a write beyond the most transactions is refused, and nothing of it stays`() throws {
        let store = try Fixture.store(folder, settings: StoreSettings(maximumPendingTransactions: 2))
        try insert(store, "a")
        try insert(store, "b")
        let refused = refusal { try insert(store, "c") }
        #expect(refused?.code == .outboxFull)
        #expect(
            refused?.message
                == "2 transactions wait to be sent, and no more may. Sync, and end what is in quarantine; then write "
                + "again. Nothing was written."
        )
        #expect(try codes(store) == [.string("a"), .string("b")])
        #expect(try store.status().pendingTransactions == 2)
    }

    @Test func `SQL of the app's own is bound too`() throws {
        let store = try Fixture.store(folder, settings: StoreSettings(maximumPendingTransactions: 1))
        try insert(store, "a")
        let refused = refusal {
            try store.raw { _ = try $0.execute("INSERT INTO Tags (Code) VALUES ('b')") }
        }
        #expect(refused?.code == .outboxFull)
        #expect(try codes(store) == [.string("a")])
    }

    @Test func `after a sync there is room again`() throws {
        let store = try Fixture.store(folder, settings: StoreSettings(maximumPendingTransactions: 1))
        try insert(store, "a")
        try Fixture.send(store)
        try store.settle([.accepted(number: 1, rows: [])])
        try insert(store, "b")
        #expect(try codes(store) == [.string("a"), .string("b")])
    }

    @Test func `what is in quarantine counts, and is retried all the same`() throws {
        let store = try Fixture.store(folder, settings: StoreSettings(maximumPendingTransactions: 1))
        try insert(store, "a")
        try Fixture.send(store)
        try store.settle([.refused(number: 1, code: "Rule", message: "No.", status: 422)])
        #expect(refusal { try insert(store, "b") }?.code == .outboxFull)
        let held = try #require(try store.quarantined().first)
        try store.retry(quarantined: held.id)
        #expect(try store.status().pendingTransactions == 1)
    }

    @Test func `a change that makes less wait is always taken`() throws {
        let path = folder.file("a.tideline")
        let store = try Fixture.store(folder)
        for code in ["a", "b", "c"] { try insert(store, code) }
        try store.close()
        let bound = try LocalStore(path: path, settings: StoreSettings(maximumPendingTransactions: 1))
        #expect(refusal { try insert(bound, "d") }?.code == .outboxFull)
        try bound.write { try $0.delete(Key([.string("b")]), in: "Tags") }
        #expect(try codes(bound) == [.string("a"), .string("c")])
        #expect(try bound.status().pendingTransactions == 2)
    }

    @Test func `a write beyond the most bytes is refused`() throws {
        let store = try Fixture.store(folder, settings: StoreSettings(maximumPendingBytes: 200))
        try insert(store, "a")
        let refused = refusal { try insert(store, String(repeating: "x", count: 300)) }
        #expect(refused?.code == .outboxFull)
        #expect(refused?.message.hasPrefix("More than 200 bytes of changes would wait to be sent.") == true)
        #expect(try codes(store) == [.string("a")])
    }
}
