// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineService

@testable import TidelineServer

/// The stream of events over a socket.
struct EventStreamTests {
    private static let fast = EventSettings(interval: .milliseconds(20))

    @Test func `a stream tells which sets changed, by requests and by others' SQL, and nothing else`() async throws {
        let world = try ServerWorld(events: Self.fast)
        try await world.server.application().test(.live) { client in
            let events = try EventConnection("shop", port: try #require(client.port))
            let head = try await events.read(until: "\r\n\r\n").lowercased()
            #expect(head.hasPrefix("http/1.1 200 ok\r\n"))
            #expect(head.contains("content-type: text/event-stream\r\n"))
            #expect(head.contains("cache-control: no-store, no-transform\r\n"))
            #expect(head.contains("x-accel-buffering: no\r\n"))
            try await events.read(until: "retry: 3000\n\n")
            let ready = try await events.event("ready")
            #expect(ready.data == #"{"id":"\#(ready.id)","sets":[]}"#)
            let note = try await client.post("/odata/shop/Notes", #"{"Id":9,"OwnerId":1,"Body":"secret"}"#)
            #expect(note.status == .created)
            let first = try await events.event("change")
            #expect(first.data == #"{"id":"\#(first.id)","sets":["Notes"]}"#)
            try SQLiteScript.run("DELETE FROM Notes", path: world.data.folder(domain: "shop") + "/data.sqlite")
            let second = try await events.event("change")
            #expect(second.data == #"{"id":"\#(second.id)","sets":["Notes"]}"# && second.id != first.id)
        }
    }

    @Test func `who comes again is told what it missed, or that it missed nothing`() async throws {
        let world = try ServerWorld(events: Self.fast)
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let start = try await EventConnection("shop", port: port).event("ready").id
            let path = world.data.folder(domain: "shop") + "/data.sqlite"
            try SQLiteScript.run("UPDATE Notes SET Body = 'x'", path: path)
            let missed = try await EventConnection("shop", port: port, lastID: start).event("change")
            #expect(missed.data.hasSuffix(#""sets":["Notes"]}"#))
            let nothing = try await EventConnection("shop", port: port, lastID: missed.id).event("ready")
            #expect(nothing.id == missed.id)
            let unknown = try await EventConnection("shop", port: port, lastID: "of another server").event("change")
            #expect(unknown.id == missed.id && unknown.data.hasSuffix(#""sets":["Notes"]}"#))
        }
    }

    @Test func `a domain for signed-in users tells its events to them alone, each a few`() async throws {
        var settings = Self.fast
        settings.mostPerUser = 1
        let world = try ServerWorld(events: settings)
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            #expect(try await client.get("/odata/club/$events").status == .unauthorized)
            let token = try #require(try await client.signIn().json["access_token"] as? String)
            let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
            let events = try EventConnection("club", port: port, token: token)
            _ = try await events.event("ready")
            let refused = try await client.get("/odata/club/$events?wait=0", bearer)
            #expect(refused.status == .tooManyRequests && refused.errorCode == "TooManyListeners")
            #expect(refused.headers[.retryAfter] == "60")
            let note = try await client.post("/odata/club/Notes", #"{"Id":9,"OwnerId":1,"Body":""}"#, token: token)
            #expect(note.status == .created)
            _ = try await events.event("change")
            events.hangUp()
            // The place is free as soon as the server has noticed.
            var status = HTTPResponse.Status.tooManyRequests
            for _ in 0..<1_000 where status == .tooManyRequests {
                status = try await client.get("/odata/club/$events?wait=0", bearer).status
            }
            #expect(status == .ok)
        }
    }

    @Test func `a change is told to the users whose policies show the row`() async throws {
        let world = try ServerWorld(events: Self.fast)
        try world.accounts.addUser("bob", password: "correct horse", domain: "club", id: .integer(2))
        try await world.server.application().test(.live) { client in
            func events(of user: String) async throws -> EventConnection {
                let token = try #require(try await client.signIn(as: user).json["access_token"] as? String)
                let events = try EventConnection("club", port: try #require(client.port), token: token)
                _ = try await events.event("ready")
                return events
            }
            let (ada, bob) = (try await events(of: "ada"), try await events(of: "bob"))
            let path = world.data.folder(domain: "club") + "/data.sqlite"
            try SQLiteScript.run("UPDATE Notes SET Body = 'Bob’s' WHERE OwnerId = 2", path: path)
            let first = try await bob.event("change")
            try SQLiteScript.run("UPDATE Notes SET Body = 'Ada’s' WHERE OwnerId = 1", path: path)
            // Ada's first event is of her own note: that of Bob's passed her by.
            let second = try await ada.event("change")
            #expect(first.data.hasSuffix(#""sets":["Notes"]}"#) && second.data.hasSuffix(#""sets":["Notes"]}"#))
            #expect(first.id != second.id)
            // The next of Bob's is one after hers.
            try SQLiteScript.run("UPDATE Notes SET OwnerId = 2 WHERE OwnerId = 1", path: path)
            let (third, fourth) = (try await bob.event("change"), try await ada.event("change"))
            #expect(third.id == fourth.id && third.id != second.id)
        }
    }

    @Test func `more than the server serves are refused`() async throws {
        var settings = Self.fast
        settings.most = 1
        let world = try ServerWorld(events: settings)
        try await world.server.application().test(.live) { client in
            let events = try EventConnection("shop", port: try #require(client.port))
            _ = try await events.event("ready")
            let refused = try await client.get("/odata/shop/$events")
            #expect(refused.status == .serviceUnavailable && refused.errorCode == "TooManyListeners")
            #expect(refused.headers[.retryAfter] == "60")
            #expect(try await client.get("/odata/shop/Notes(1)").status == .ok)
            events.hangUp()
        }
    }

    @Test func `a silent stream shows that it lives, and ends with its time`() async throws {
        var settings = Self.fast
        settings.keepAlive = .milliseconds(20)
        settings.lifetime = .seconds(1)
        let world = try ServerWorld(events: settings)
        try await world.server.application().test(.live) { client in
            let events = try EventConnection("shop", port: try #require(client.port))
            _ = try await events.event("ready")
            try await events.read(until: ":\n\n")
            try await events.read(until: "\r\n0\r\n\r\n")
        }
    }

    @Test func `a stream ends cleanly when the server stops`() async throws {
        let world = try ServerWorld(events: Self.fast)
        let events = try await world.server.application().test(.live) { client in
            let events = try EventConnection("shop", port: try #require(client.port))
            _ = try await events.event("ready")
            return events
        }
        try await events.read(until: "\r\n0\r\n\r\n")
    }

    @Test func `a stream ends when its domain is changed or taken away`() async throws {
        let world = try ServerWorld(events: Self.fast)
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let first = try EventConnection("shop", port: port)
            _ = try await first.event("ready")
            let file = world.data.file(domain: "shop")
            var domain = try Domain(contentsOf: file)
            domain.limits.pageRows = 7
            try domain.write(to: file)
            try await first.read(until: "\r\n0\r\n\r\n")
            let second = try EventConnection("shop", port: port)
            _ = try await second.event("ready")
            try FileManager.default.removeItem(atPath: file)
            try await second.read(until: "\r\n0\r\n\r\n")
            #expect(try await client.get("/odata/shop/$events").status == .notFound)
        }
    }

    @Test func `a connection that has listened answers other requests as before, and listens again`() async throws {
        let world = try ServerWorld(events: Self.fast)
        try await world.server.application().test(.live) { client in
            let events = try EventConnection("shop", port: try #require(client.port))
            let request = { (path: String, fields: String) in
                "GET /odata/shop/\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n"
            }
            let file = world.data.file(domain: "shop")
            /// Has the server end the stream.
            let end = { (round: Int) async throws in
                var domain = try Domain(contentsOf: file)
                domain.limits.pageRows = 50 + round
                try domain.write(to: file)
                try await events.read(until: "\r\n0\r\n\r\n")
            }
            _ = try await events.event("ready")
            for round in 1...2 {
                try await end(round)
                try await events.send(request("$metadata", ""))
                let head = try await events.read(until: "\r\n\r\n").lowercased()
                #expect(head.hasPrefix("http/1.1 200 ok\r\n"))
                #expect(!head.contains("content-encoding") && !head.contains("compressible"))
                try await events.read(until: "</edmx:Edmx>")
                try await events.send(request("$events", ""))
                _ = try await events.event("ready")
                let note = try await client.post("/odata/shop/Notes", #"{"Id":\#(20 + round),"OwnerId":1,"Body":""}"#)
                #expect(note.status == .created)
                _ = try await events.event("change")
            }
            try await end(3)
            try await events.send(request("$metadata", "Accept-Encoding: gzip\r\n"))
            let head = try await events.read(until: "\r\n\r\n").lowercased()
            #expect(head.hasPrefix("http/1.1 200 ok\r\n"))
            #expect(head.contains("content-encoding: gzip\r\n") && !head.contains("compressible"))
        }
    }
}
