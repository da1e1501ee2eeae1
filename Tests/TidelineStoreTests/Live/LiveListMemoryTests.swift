// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

struct LiveListMemoryTests {
    /// Counts the films that are held anywhere, and how many there were at once.
    private final class Token: Sendable {
        static let alive = Mutex((now: 0, most: 0))

        init() {
            Token.alive.withLock { alive in
                alive.now += 1
                alive.most = max(alive.most, alive.now)
            }
        }

        deinit { Token.alive.withLock { $0.now -= 1 } }
    }

    private struct Film: Entity {
        static let entitySet = ListShelf.model.sets[1]
        let id: Int64
        let title: String
        let token = Token()

        init(row: inout TidelineStore.RowCursor) throws {
            id = try row.integer()
            title = try row.string()
        }

        func bind(into binder: inout Binder) {}
    }

    @Test(.covers("MD-I62"))
    func `a list of a hundred thousand rows holds a few pages of objects`() throws {
        let shelf = try ListShelf()
        let file = try DatabaseQueue(path: shelf.folder.file("shelf.tideline"))
        try file.write { connection in
            try connection.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                    INSERT INTO Films (Id, Title) SELECT i, 'Film ' || i FROM n
                    """
            )
        }
        let list = try LiveList<Film>(shelf.store, plan: shelf.plan())
        _ = try list.update()
        #expect(list.count == 100_000)
        #expect(Token.alive.withLock { $0.most } == 0)
        for row in stride(from: 0, to: 100_000, by: 25) {
            let film = try list[0, row]
            #expect(film?.id == Int64(row + 1))
        }
        #expect(try list[0, 99_999]?.title == "Film 100000")
        // Four pages of fifty, the one that is read, and the one element in hand.
        let most = Token.alive.withLock(\.most)
        #expect(most <= 251)
        #expect(list.pages.count == 4 * 50)
        list.releaseMemory()
        #expect(Token.alive.withLock { $0.now } == 0)
        #expect(try list[0, 3]?.title == "Film 4")
    }

    @Test func `an element that changed is read again, and one that is gone is none`() throws {
        let shelf = try ListShelf()
        for id in 1...3 as ClosedRange<Int64> { try shelf.insert(id, "Film \(id)") }
        let list = try shelf.store.list(of: shelf.plan(), pageSize: 2)
        _ = try list.update()
        #expect(try list[0, 0]?["Title"] == .string("Film 1"))
        #expect(list.pages.count == 2)
        try shelf.update(1, ["Title": .string("Other")])
        try shelf.delete(3)
        // As it was until the next batch; what is not held is not there any more.
        #expect(try list[0, 0]?["Title"] == .string("Film 1"))
        #expect(try list[0, 2] == nil)
        #expect(try list.update()?.words == ["delete 3 from 0.2", "update 1 from 0.0 to 0.0"])
        #expect(try list[0, 0]?["Title"] == .string("Other"))
        #expect(try list[0, 2] == nil)
        #expect(try list[1, 0] == nil)
        #expect(try list.element(of: ListShelf.key(2), in: ListMirror(sections: list.sections))?["Id"] == .integer(2))
        #expect(try list.element(of: ListShelf.key(3), in: ListMirror(sections: list.sections)) == nil)
    }
}
