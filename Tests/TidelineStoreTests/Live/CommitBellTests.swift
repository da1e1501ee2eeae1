// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// The bell that rings at every commit.
struct CommitBellTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    private func insert(_ store: LocalStore, _ code: String) throws {
        try store.write { try $0.insert(["Code": .string(code)], into: "Tags") }
    }

    private func bell(_ count: Int) -> (AsyncStream<Void>, Int) {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(count))
        return (rings, store.ring(bell))
    }

    @Test func `it rings at commits of every kind, and ends with the store`() async throws {
        let (rings, _) = bell(10)
        try insert(store, "a")
        try store.markConflictsSeen()
        #expect(throws: LocalStoreError.self) { try insert(store, "a") }
        try store.close()
        var count = 0
        for await _ in rings { count += 1 }
        #expect(count == 2)
    }

    @Test func `it rings for commits of another store over the same file`() async throws {
        let (rings, _) = bell(1)
        let other = try LocalStore(path: folder.file("a.tideline"))
        try insert(other, "a")
        try store.refresh()
        var iterator = rings.makeAsyncIterator()
        #expect(await iterator.next() != nil)
    }

    @Test func `a closed store ends a bell at once, and a removed one is silent`() async throws {
        let (rings, place) = bell(10)
        store.stopRinging(place)
        try insert(store, "a")
        #expect(store.bells.isEmpty)
        try store.close()
        let (late, _) = bell(1)
        var count = 0
        for await _ in late { count += 1 }
        #expect(count == 0)
        _ = rings
    }

    @Test func `what is fresh is what no sync has taken up`() throws {
        #expect(try store.newestFreshNumber() == nil)
        try insert(store, "a")
        #expect(try store.newestFreshNumber() == 1)
        try Fixture.send(store)
        #expect(try store.newestFreshNumber() == nil)
        try store.write { try $0.update(Key([.string("a")]), ["Title": .string("t")], in: "Tags") }
        #expect(try store.newestFreshNumber() == 2)
    }
}
