// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage

@testable import TidelineService

struct NoticeTests {
    @Test func `a notice names the sets that changed since the one before, whoever changed them`() throws {
        let shop = try Shop()
        let start = try shop.service.notice(since: nil)
        #expect(start.sets == [])
        #expect(try shop.service.notice(since: start.id) == start)
        try shop.sql("UPDATE Notes SET Text = 'x'; UPDATE Orders SET Total = 1 WHERE OrderId = 10")
        let first = try shop.service.notice(since: start.id)
        #expect(first.sets == ["Notes", "Orders"] && first.id != start.id)
        #expect(shop.send(.delete, "Notes('a')").status == 204)
        let second = try shop.service.notice(since: first.id)
        #expect(second.sets == ["Notes"])
        #expect(try shop.service.notice(since: start.id) == ChangeNotice(id: second.id, sets: ["Notes", "Orders"]))
    }

    @Test func `where the log cannot tell, every set is named`() throws {
        let shop = try Shop()
        let every: Set = ["Clients", "Notes", "Orders"]
        let start = try shop.service.notice(since: nil)
        try shop.sql("UPDATE Notes SET Text = 'x'")
        let middle = try shop.service.notice(since: nil)
        try shop.sql("UPDATE Notes SET Text = 'y'")
        _ = try shop.store.compact(LogRetention(entries: 1), now: 0, limit: .max)
        #expect(try shop.service.notice(since: start.id).sets == every)
        try shop.sql("DROP TRIGGER tideline_update_Notes")
        let now = try shop.service.notice(since: nil)
        #expect(try shop.service.notice(since: middle.id).sets == every)
        #expect(try shop.service.notice(since: now.id).sets == [])
        for strange in ["x", "", String(repeating: "A", count: 5_000)] {
            #expect(try shop.service.notice(since: strange).sets == every, "\(strange.prefix(9))")
        }
    }

    @Test func `a token of a link is no identifier of a notice, nor the other way round`() throws {
        let shop = try Shop()
        let notes = shop.get("Notes", ["Prefer": "track-changes"])
        let link = try #require(notes.link("deltaLink"))
        let token = String(try #require(link.split(separator: "=").last))
        #expect(try shop.service.notice(since: token).sets.count == 3)
        let id = try shop.service.notice(since: nil).id
        #expect(shop.get("Notes?$deltatoken=\(id)").status == 400)
    }

    @Test func `a user is told of what it may read, and of what the policies of that look at`() throws {
        let shop = try Shop()
        let buyer = shop.service.reach(of: Shop.alice)
        #expect(buyer.sets(for: ["Notes"]) == ["Notes"])
        #expect(buyer.sets(for: ["Clients"]) == ["Clients", "Orders"])
        #expect(buyer.sets(for: ["Orders", "Elsewhere"]) == ["Orders"])
        let plain = shop.service.reach(of: UserContext(id: .integer(3), name: "eve", roles: []))
        #expect(plain.sets(for: ["Clients", "Orders"]) == ["Clients"])
        let nobody = shop.service.reach(of: .anonymous)
        #expect(nobody.sets(for: ["Clients", "Notes", "Orders"]) == [])
    }

    @Test func `a view is to be looked at whenever anything changed`() throws {
        let shop = try Shop(open: true, shaping: { sets in sets[2].isReadOnly = true })
        #expect(shop.domain.model.sets.map(\.names.wire) == ["Clients", "Notes", "Orders"])
        #expect(shop.service.reach(of: .anonymous).sets(for: ["Notes"]) == ["Notes", "Orders"])
    }
}
