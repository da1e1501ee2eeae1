// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// What the service gives one user to come back with, in the hands of another.
struct CrossingTests {
    @Test(arguments: ["Clients", "Clients?$filter=ClientId%20gt%200", "Notes?$select=NoteId", "Orders?$expand=Client"])
    func `a next link and a delta link are their user's alone`(path: String) throws {
        let shop = try Shop()
        let page = shop.get(path, ["Prefer": "maxpagesize=1, track-changes"])
        let next = try #require(page.link("nextLink"))
        #expect(shop.get(next).status == 200)
        #expect(shop.get(next, as: Shop.bob).status == 410)
        // The same user with other roles sees other rows, perhaps, but is the same: the policies are looked at anew.
        let whole = shop.get(path, ["Prefer": "track-changes"])
        let delta = try #require(whole.link("deltaLink"))
        try shop.sql("UPDATE Clients SET Name = Name || '!'; UPDATE Notes SET Text = 'x'; UPDATE Orders SET Total = 5")
        #expect(shop.get(delta).status == 200)
        let crossed = shop.get(delta, as: Shop.bob)
        #expect(crossed.status == 410 && !crossed.text.contains("Ann"))
    }

    @Test(arguments: ["$all", "Clients?$apply=groupby((Name))", "Clients/$ref"])
    func `so are the next links of what is no set`(path: String) throws {
        let shop = try Shop()
        let next = try #require(shop.get(path, ["Prefer": "maxpagesize=1"]).link("nextLink"))
        #expect(shop.get(next).status == 200)
        let crossed = shop.get(next, as: Shop.bob)
        #expect(crossed.status == 410 || crossed.status == 400, "\(crossed.text)")
    }

    @Test
    func `a token is good for the set that it was made for`() throws {
        let shop = try Shop()
        let link = try #require(shop.get("Clients", ["Prefer": "track-changes"]).link("deltaLink"))
        let token = try #require(link.split(separator: "=").last)
        #expect(shop.get("Notes?$deltatoken=\(token)").status == 410)
        #expect(shop.get("Clients?$filter=ClientId%20gt%201&$deltatoken=\(token)").status == 410)
        #expect(shop.get("Clients?$expand=Orders&$deltatoken=\(token)").status == 410)
        #expect(shop.get("Clients?$skiptoken=\(token)").status == 410)
    }

    @Test
    func `statements that are kept have no rows of who asked before`() throws {
        let shop = try Shop()
        for path in ["Clients?$filter=contains(Name,'n')", "Clients?$expand=Orders", "Orders?$orderby=toupper(Title)"] {
            let alice = shop.get(path).text
            let bob = shop.get(path, as: Shop.bob).text
            #expect(alice.contains("\"ClientId\":1") && !alice.contains("\"ClientId\":2"))
            #expect(bob.contains("\"ClientId\":2") && !bob.contains("\"ClientId\":1"))
            for _ in 0..<3 { #expect(shop.get(path).text == alice && shop.get(path, as: Shop.bob).text == bob) }
        }
    }

    @Test
    func `an answer that comes later comes to who asked`() throws {
        let work = Mutex<[@Sendable () -> Void]>([])
        let deferral = Deferral(seconds: { 0 }) { job in
            work.withLock { $0.append(job) }
            return true
        }
        let stand = try Stand(
            .sqlite,
            tables: "CREATE TABLE Notes (NoteId INTEGER PRIMARY KEY, OwnerId INTEGER); INSERT INTO Notes VALUES (1, 1)",
            policies: [Policy(role: "*", sets: ["Notes"], operations: [.read], where: "OwnerId eq @me")],
            deferral: deferral
        )
        let taken = stand.get("Notes", ["Prefer": "respond-async"])
        let monitor = try #require(taken.fields[.location])
        #expect(stand.get(monitor, as: Shop.bob).status == 404)
        #expect(stand.send(.delete, monitor, as: Shop.bob).status == 404)
        for job in work.withLock({ $0 }) { job() }
        #expect(stand.get(monitor, as: Shop.bob).status == 404)
        #expect(stand.get(monitor).text.contains("\"NoteId\":1"))
        // The same number is no name of the same person.
        let other = UserContext(id: .integer(1), name: "carl")
        #expect(stand.get(monitor, as: other).status == 404)
    }

    @Test
    func `an answer that is kept is given to its user alone`() throws {
        let shop = try Shop()
        let fields = [
            "Repeatability-Request-ID": "9f3c1a52-7c1e-4b7a-8d3e-5a0b1c2d3e4f",
            "Repeatability-First-Sent": "Sat, 21 Nov 2026 13:00:00 GMT", "Repeatability-Client-ID": "phone",
        ]
        let body = #"{"Name":"Mine","OwnerId":1}"#
        let first = shop.send(.post, "Clients", body, fields)
        #expect(first.status == 201)
        let record = "$RepeatableRequestWithRequestID/9f3c1a52-7c1e-4b7a-8d3e-5a0b1c2d3e4f"
        let client = ["Repeatability-Client-ID": "phone"]
        #expect(shop.send(.delete, record, "", client, as: Shop.bob).status == 404)
        let crossed = shop.send(.post, "Clients", body, fields, as: Shop.bob)
        #expect(crossed.status == 403 && !crossed.text.contains("Mine"))
        #expect(shop.send(.post, "Clients", body, fields) == first)
        #expect(shop.send(.delete, record, "", client).status == 204)
    }
}
