// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import Testing
import TidelineOData
import TidelineSQLite

@testable import TidelineServer

/// `$events?wait=…`: for proxies that swallow streams.
struct EventPollTests {
    private let world: ServerWorld

    init() throws {
        world = try ServerWorld(events: EventSettings(interval: .milliseconds(20)))
    }

    private func poll(_ client: some TestClientProtocol, _ wait: Int, since id: String? = nil) async throws
        -> ChangeNotice
    {
        var fields = HTTPFields()
        fields[.lastEventID] = id
        let answer = try await client.get("/odata/shop/$events?wait=\(wait)", fields)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "no-store")
        return try ChangeNotice(json: answer.body.readableBytesView)
    }

    @Test func `a first poll is answered at once, and one with news too`() async throws {
        try await world.server.application().test(.live) { client in
            let start = try await poll(client, 9_999)
            #expect(start.sets == [])
            #expect(try await poll(client, 0, since: start.id) == start)
            let path = world.data.folder(domain: "shop") + "/data.sqlite"
            try SQLiteScript.run("UPDATE Notes SET Body = 'x'", path: path)
            let news = try await poll(client, 9_999, since: start.id)
            #expect(news.sets == ["Notes"] && news.id != start.id)
        }
    }

    @Test func `a poll waits for a change`() async throws {
        // Each request has a connection: on one of HTTP/1.1 the change would wait for the poll.
        try await world.server.application().test(.ahc()) { client in
            let start = try await poll(client, 0)
            async let waiting = poll(client, 9_999, since: start.id)
            while world.server.hub.taken == 0 { _ = try await client.get("/odata/shop/Notes(1)") }
            let note = try await client.post("/odata/shop/Notes", #"{"Id":9,"OwnerId":1,"Body":""}"#)
            #expect(note.status == .created)
            let news = try await waiting
            #expect(news.sets == ["Notes"] && news.id != start.id)
        }
    }

    @Test func `what is no request for events is refused`() async throws {
        try await world.server.application().test(.live) { client in
            for wait in ["", "-1", "1.5", "10000", "x"] {
                let answer = try await client.get("/odata/shop/$events?wait=\(wait)")
                #expect(answer.status == .badRequest && answer.errorCode == "InvalidQueryOption", "\(wait)")
            }
            let post = try await client.post("/odata/shop/$events", "{}")
            #expect(post.status == .methodNotAllowed && post.headers[.allow] == "GET")
            #expect(try await client.get("/odata/nothing/$events?wait=0").status == .notFound)
            #expect(try await client.get("/odata/shop/$events/1").status == .notFound)
        }
    }
}
