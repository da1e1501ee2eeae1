// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

struct ListChangesTests {
    @Test func `a slow reader gets one batch for all that it missed`() async throws {
        let shelf = try ListShelf()
        for id in 1...3 as ClosedRange<Int64> { try shelf.insert(id, "Film \(id)") }
        let list = try shelf.store.list(of: shelf.plan(by: [(.title, false)]))
        var changes = list.changes.makeAsyncIterator()
        #expect(try await changes.next()?.changes.count == 4)
        try shelf.update(2, ["Title": .string("A")])
        try shelf.delete(1)
        try shelf.insert(4, "B")
        try shelf.delete(4)
        try shelf.update(2, ["Title": .string("Film 2b")])
        #expect(try await changes.next()?.words == ["delete 1 from 0.0", "update 2 from 0.1 to 0.0"])
    }

    @Test func `changes by SQL through the store are seen, and what is put back is not told`() async throws {
        let shelf = try ListShelf()
        for id in 1...3 as ClosedRange<Int64> { try shelf.insert(id, "Film \(id)", rank: id) }
        let list = try shelf.store.list(of: shelf.plan(by: [(.rank, true)]))
        var changes = list.changes.makeAsyncIterator()
        _ = try await changes.next()
        try shelf.store.raw { try $0.execute("UPDATE Films SET Rank = 7 WHERE Id = 1") }
        #expect(try await changes.next()?.words == ["move 1 from 0.2 to 0.0"])
        try shelf.store.raw { try $0.execute("UPDATE Films SET Seen = 1 WHERE Id = 2") }
        #expect(try await changes.next()?.words == ["update 2 from 0.2 to 0.2"])
        #expect(throws: LocalStoreError.self) {
            try shelf.store.raw { sql in
                try sql.execute("DELETE FROM Films")
                try sql.execute("DELETE FROM Nowhere")
            }
        }
        try shelf.store.raw { try $0.execute("DELETE FROM Films WHERE Id = 3") }
        #expect(try await changes.next()?.words == ["delete 3 from 0.1"])
    }

    @Test func `commits of another connection to the file are seen when it is looked for them`() throws {
        let shelf = try ListShelf()
        try shelf.insert(1, "Film 1")
        let other = try shelf.other()
        let list = try shelf.store.list(of: shelf.plan())
        _ = try list.update()
        try other.write { try ListShelf.insert(2, "Film 2", $0) }
        #expect(try list.update() == nil)
        try shelf.store.refresh()
        #expect(try list.update()?.words == ["insert 2 to 0.1"])
        // A commit of our own tells those before it too.
        try other.write { _ = try $0.delete(ListShelf.key(1), in: "Films") }
        try shelf.insert(3, "Film 3")
        #expect(try list.update()?.words == ["delete 1 from 0.0", "insert 3 to 0.1"])
        try shelf.store.refresh()
        #expect(try list.update() == nil)
        try other.close()
    }

    @Test(.timeLimit(.minutes(1)))
    func `commits of another connection are looked for while somebody listens`() async throws {
        let shelf = try ListShelf(watchInterval: .milliseconds(2))
        let other = try shelf.other()
        let list = try shelf.store.list(of: shelf.plan())
        var changes = list.changes.makeAsyncIterator()
        #expect(try await changes.next()?.isFirst == true)
        try await other.write { try ListShelf.insert(1, "Film 1", $0) }
        #expect(try await changes.next()?.words == ["insert section null to 0", "insert 1 to 0.0"])
        try await other.write { _ = try $0.update(ListShelf.key(1), ["Rank": .integer(1)], in: "Films") }
        #expect(try await changes.next()?.words == ["update 1 from 0.0 to 0.0"])
        try other.close()
    }

    @Test func `a new reader begins with the whole list, and the one before ends`() async throws {
        let shelf = try ListShelf()
        try shelf.insert(1, "Film 1")
        let list = try shelf.store.list(of: shelf.plan())
        var first = list.changes.makeAsyncIterator()
        #expect(try await first.next()?.changes.count == 2)
        try shelf.insert(2, "Film 2")
        var second = list.changes.makeAsyncIterator()
        #expect(
            try await second.next()
                == ListBatch(
                    isFirst: true,
                    changes: [
                        .insertSection(.null, to: 0), .insert(ListShelf.key(1), to: ListPlace(section: 0, row: 0)),
                        .insert(ListShelf.key(2), to: ListPlace(section: 0, row: 1)),
                    ]
                )
        )
        #expect(try await first.next() == nil)
        try shelf.delete(1)
        #expect(try await second.next()?.words == ["delete 1 from 0.0"])
    }

    @Test func `a reader that begins late takes nothing from the one that began after it`() throws {
        let shelf = try ListShelf()
        try shelf.insert(1, "Film 1")
        let reader = try shelf.store.list(of: shelf.plan()).reader
        let (first, second) = (reader.begin(), reader.begin())
        #expect(try reader.restart(turn: second)?.isFirst == true)
        try shelf.insert(2, "Film 2")
        #expect(try reader.restart(turn: first) == nil)
        let news = try reader.update(turn: second)
        #expect(news?.changes == [.insert(ListShelf.key(2), to: ListPlace(section: 0, row: 1))])
    }

    @Test func `a cancelled reader ends, and the list goes on`() async throws {
        let shelf = try ListShelf()
        let list = try shelf.store.list(of: shelf.plan())
        let reader = Task {
            var batches = 0
            for try await _ in list.changes { batches += 1 }
            return batches
        }
        reader.cancel()
        #expect(try await reader.value <= 1)
        try shelf.insert(1, "Film 1")
        var changes = list.changes.makeAsyncIterator()
        #expect(try await changes.next()?.words == ["insert section null to 0", "insert 1 to 0.0"])
        try shelf.store.close()
        #expect(try await changes.next() == nil)
        #expect(throws: LocalStoreError.self) { _ = try shelf.store.refresh() }
    }

    /// The threads that read let go of a list a moment after its reader has the batch.
    @Test(.covers("MD-I96"), .timeLimit(.minutes(1)))
    func `a list and its readers go when nobody holds them, and the store hears of it`() async throws {
        let shelf = try ListShelf()
        weak var freed: LiveList<[String: Value]>?
        do {
            let list = try shelf.store.list(of: shelf.plan())
            freed = list
            var changes = list.changes.makeAsyncIterator()
            _ = try await changes.next()
            #expect(shelf.store.broadcaster.count == 1)
        }
        while freed != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(shelf.store.broadcaster.count == 0)
        do {
            var results = shelf.store.results(of: shelf.plan()).makeAsyncIterator()
            _ = try await results.next()
            #expect(shelf.store.broadcaster.count == 1)
        }
        while shelf.store.broadcaster.count > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
