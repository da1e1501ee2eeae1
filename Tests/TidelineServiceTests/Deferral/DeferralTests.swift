// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Requests that are answered later.
struct DeferralTests {
    /// What is to be done, and a clock, both in the test's hands.
    final class Desk: Sendable {
        let work = Mutex<[@Sendable () -> Void]>([])
        let seconds = Atomic<Int64>(0)

        func runAll() {
            let work = work.withLock { work in
                defer { work = [] }
                return work
            }
            for job in work { job() }
        }

        func deferral() -> Deferral {
            Deferral(seconds: { self.seconds.load(ordering: .relaxed) }) { job in
                self.work.withLock { $0.append(job) }
                return true
            }
        }
    }

    final class Count: Sendable {
        let value = Mutex(0)
    }

    @Test(.covers("OD-1.3.13", "OD-1.4.3", "OD-1.8.29"))
    func `an answer comes later, at its monitor, as it is`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        let taken = gallery.get("Items(1)/Name", ["Prefer": "respond-async"])
        #expect(taken.status == 202 && taken.text.isEmpty)
        #expect(taken.fields[.preferenceApplied] == "respond-async")
        let monitor = try #require(taken.fields[.location])
        #expect(monitor.hasPrefix("/odata/art/$async/"))
        #expect(gallery.get(monitor).status == 202)
        desk.runAll()
        let done = gallery.get(monitor)
        #expect(done.status == 200 && done.fields[.asyncResult] == "200")
        #expect(done.text == #"{"@context":"/odata/art/$metadata#Items(1)/Name","value":"Root"}"#)
        desk.seconds.store(600, ordering: .relaxed)
        #expect(gallery.get(monitor).status == 404)
    }

    @Test(.covers("OD-1.1.16", "OD-1.8.25"))
    func `for 4 point 0 the answer is wrapped`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        let taken = gallery.get("Items(9)", ["Prefer": "respond-async", "OData-MaxVersion": "4.0"])
        desk.runAll()
        let done = gallery.get(try #require(taken.fields[.location]), ["OData-MaxVersion": "4.0"])
        #expect(done.status == 200)
        #expect(done.fields[.contentType] == "application/http")
        #expect(done.text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(done.text.contains("\r\n\r\n{\"error\":"))
    }

    @Test func `a monitor is cancelled once, and is nobody else's`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        let monitor = try #require(gallery.get("Items", ["Prefer": "respond-async"]).fields[.location])
        #expect(gallery.send(.delete, monitor).status == 204)
        #expect(gallery.send(.delete, monitor).status == 404)
        desk.runAll()
        #expect(gallery.get(monitor).status == 404)
        #expect(gallery.get("Items(1)/$count").status == 404)
        let post = gallery.send(.post, monitor)
        #expect(post.status == 405 && post.fields[.allow] == "GET, HEAD, DELETE")
        let other = try #require(gallery.get("Items", ["Prefer": "respond-async"]).fields[.location])
        let fields: HTTPFields = [.odataMaxVersion: "4.01"]
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: other, headerFields: fields)
        let stranger = gallery.service.respond(to: request, user: UserContext(id: .integer(7), name: "eve"))
        #expect(stranger.head.status == .notFound)
    }

    @Test(.covers("OD-1.1.17"))
    func `who takes both versions learns the status of an answer in 4 point 0 from a header`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        let fields = ["OData-MaxVersion": "4.0", "Accept": "application/json"]
        let taken = gallery.get("Items(9)", fields.merging(["Prefer": "respond-async"]) { $1 })
        desk.runAll()
        let done = gallery.get(try #require(taken.fields[.location]), fields)
        #expect(done.status == 200 && done.fields[.asyncResult] == "404", "\(done.text)")
        #expect(done.fields[.odataVersion] == "4.0")
    }

    @Test func `an answer that comes while its client waits is the answer`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        let taken = gallery.respond("Items(1)/Name", ["Prefer": "wait=7, respond-async, omit-values=nulls"])
        #expect(taken.head.status == .accepted)
        let pending = try #require(taken.pending)
        #expect(pending.patience == .seconds(7))
        let calls = Count()
        pending.whenReady { calls.value.withLock { $0 += 1 } }
        #expect(pending.take() == nil)
        #expect(calls.value.withLock { $0 } == 0)
        desk.runAll()
        #expect(calls.value.withLock { $0 } == 1)
        // Who comes late is told at once.
        pending.whenReady { calls.value.withLock { $0 += 1 } }
        #expect(calls.value.withLock { $0 } == 2)
        let answer = try #require(pending.take())
        #expect(answer.head.status == .ok)
        // It came at once, so nothing was answered later.
        #expect(answer.head.headerFields[.preferenceApplied] == "omit-values=nulls")
        #expect(answer.head.headerFields[.asyncResult] == nil)
        // Taken is taken.
        let monitor = try #require(taken.head.headerFields[.location])
        #expect(gallery.get(monitor).status == 404)
    }

    @Test func `who does not wait, or gives up waiting, finds the answer at its monitor`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        #expect(gallery.respond("Items", ["Prefer": "respond-async"]).pending == nil)
        #expect(gallery.respond("Items", ["Prefer": "respond-async, wait=0"]).pending == nil)
        #expect(gallery.respond("Items", ["Prefer": "wait=5"]).pending == nil)
        #expect(gallery.respond("Items", ["Prefer": "respond-async, wait=86400"]).pending?.patience == .seconds(60))
        let taken = gallery.respond("Items(1)/Name", ["Prefer": "respond-async, wait=5"])
        #expect(taken.pending?.take() == nil)
        desk.runAll()
        let monitor = try #require(taken.head.headerFields[.location])
        #expect(gallery.get(monitor).fields[.asyncResult] == "200")
    }

    @Test func `preferences in quotes come through, and v2 is put off as a whole`() throws {
        let desk = Desk()
        let gallery = try Gallery(deferral: desk.deferral())
        let taken = gallery.get(
            "Items(1)",
            ["Prefer": "include-annotations=\"-Core.*,display.*\", respond-async, omit-values=nulls"]
        )
        let old = gallery.get("v2/Items(1)?$format=json", ["Prefer": "respond-async"])
        #expect(taken.status == 202 && old.status == 202)
        desk.runAll()
        let done = gallery.get(try #require(taken.fields[.location]))
        #expect(
            done.fields[.preferenceApplied] == "omit-values=nulls, include-annotations=\"-Core.*,display.*\""
        )
        let answer = gallery.get(try #require(old.fields[.location]))
        #expect(answer.fields[.asyncResult] == "200" && answer.text.hasPrefix("{\"d\":"), "\(answer.text)")
    }

    @Test func `without a desk every request is answered at once`() throws {
        #expect(try Gallery().get("Items(1)", ["Prefer": "respond-async"]).status == 200)
    }

    @Test func `a large answer waits in a file`() throws {
        let desk = Desk()
        let shop = try Shop(open: true)
        let service = try ODataService(
            domain: shop.domain,
            store: shop.store,
            signingKey: Array(repeating: 7, count: 32),
            deferral: desk.deferral()
        )
        try shop.sql("UPDATE Orders SET Title = hex(zeroblob(50000)) WHERE OrderId = 10")
        func get(_ path: String, _ fields: HTTPFields = [:]) -> ServiceResponse {
            let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)
            return service.respond(to: request, user: .anonymous)
        }
        let plain = try get("/odata/shop/Orders(10)").body.all()
        let taken = get("/odata/shop/Orders(10)", [.prefer: "respond-async"])
        desk.runAll()
        let monitor = try #require(taken.head.headerFields[.location])
        let done = get(monitor, [.accept: "application/json"])
        guard case .spool(let file) = done.body else {
            Issue.record("the answer stands in memory")
            return
        }
        #expect(try file.bytes(at: 0, count: file.count) == plain && plain.count > 100_000)
    }
}
