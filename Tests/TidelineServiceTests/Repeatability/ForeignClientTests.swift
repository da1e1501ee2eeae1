// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Repeatable requests of clients that number nothing.
struct ForeignClientTests {
    private static let id = "9f3c1a52-7c1e-4b7a-8d3e-5a0b1c2d3e4f"
    /// 2026-11-21T13:00:00Z.
    private static let sent = "Sat, 21 Nov 2026 13:00:00 GMT"
    private static let moment: Int64 = 1_795_266_000

    private func headers(_ client: String? = nil, sent: String = ForeignClientTests.sent) -> [String: String] {
        var headers = ["Repeatability-Request-ID": Self.id, "Repeatability-First-Sent": sent]
        headers["Repeatability-Client-ID"] = client
        return headers
    }

    private func post(_ shop: Shop, _ headers: [String: String], as user: UserContext = Shop.alice) -> Shop.Reply {
        let owner = user == Shop.alice ? 1 : 2
        return shop.send(.post, "Clients", "{\"Name\":\"X\",\"OwnerId\":\(owner)}", headers, as: user)
    }

    @Test(.covers("DA-70"))
    func `a request is carried out once, for each user`() throws {
        let shop = try Shop()
        let first = post(shop, headers("c"))
        #expect(first.status == 201 && first.fields[.repeatabilityResult] == "accepted")
        #expect(post(shop, headers("c")) == first)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "4")
        #expect(post(shop, headers("c"), as: Shop.bob).status == 201)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "5")
        let other = shop.send(.patch, "Clients(1)", #"{"Name":"Y"}"#, headers("c"))
        #expect(other.status == 400 && other.fields[.repeatabilityResult] == "rejected")
    }

    @Test
    func `what was first sent too long ago is rejected`() throws {
        let now = Mutex(Self.moment)
        let shop = try Shop(now: { now.withLock { $0 } })
        #expect(post(shop, headers()).status == 201)
        now.withLock { $0 += 6 * 86_400 }
        #expect(post(shop, headers()).fields[.repeatabilityResult] == "accepted")
        now.withLock { $0 += 2 * 86_400 }
        let late = post(shop, headers())
        #expect(late.status == 412 && late.fields[.repeatabilityResult] == "rejected")
        let early = post(shop, headers(sent: "Sat, 21 Nov 2037 13:00:00 GMT"))
        #expect(early.status == 412)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "4")
    }

    @Test
    func `missing or malformed fields are rejected`() throws {
        let shop = try Shop()
        for headers in [
            ["Repeatability-Request-ID": Self.id], ["Repeatability-First-Sent": Self.sent],
            ["Repeatability-Request-ID": "x", "Repeatability-First-Sent": Self.sent],
            ["Repeatability-Request-ID": Self.id, "Repeatability-First-Sent": "yesterday"],
        ] {
            let reply = post(shop, headers)
            #expect(reply.status == 400 && reply.fields[.repeatabilityResult] == "rejected")
        }
        #expect(shop.get("Clients(1)", ["Repeatability-Request-ID": "x"]).status == 200)
    }

    @Test
    func `records are deleted on request, by their owner alone`() throws {
        let shop = try Shop()
        _ = post(shop, headers())
        let path = "$RepeatableRequestWithRequestID/\(Self.id)"
        #expect(shop.send(.delete, path, as: Shop.bob).status == 404)
        #expect(shop.send(.get, path).status == 405)
        #expect(shop.send(.delete, path).status == 204)
        #expect(shop.send(.delete, path).status == 404)
        #expect(try shop.value("SELECT count(*) FROM tideline_answers") == "0")
        #expect(shop.send(.delete, "$RepeatableRequestWithClientID/nobody").status == 404)
    }

    @Test
    func `answers are kept for a while and no longer`() throws {
        let shop = try Shop()
        _ = post(shop, headers())
        try shop.sql("UPDATE tideline_answers SET kept_at = kept_at - 20 * 86400")
        var other = headers()
        other["Repeatability-Request-ID"] = "9f3c1a52-7c1e-4b7a-8d3e-5a0b1c2d3e50"
        _ = post(shop, other)
        #expect(try shop.value("SELECT count(*) FROM tideline_answers") == "1")
    }
}
