// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TidelineSQLite
import TidelineTestSupport

@testable import TidelineServer

/// The wire of the fishing app, with a client written from its page alone.
struct FishingDoorTests {
    private static func run(
        _ world: FishingWorld,
        _ body: @Sendable (FishingClient, FishingClient) async throws -> Void
    ) async throws {
        let tokens = (try world.token("ann"), try world.token("bob"))
        try await world.server.application().test(.live) { client in
            try await body(
                FishingClient(client: client, user: "42", token: tokens.0),
                FishingClient(client: client, user: "43", token: tokens.1)
            )
        }
    }

    private static let pier =
        #"{"id":7,"name":"Old pier","lat":59.913900,"lng":10.752200,"publicSpot":1,"comments":"early","#
        + #""owner":{"userId":"42","userName":"Ann","pictureUrl":"https://example.org/a.png"}}"#

    @Test(.covers("PS-05"))
    func `all five actions answer as the page says, to the byte`() async throws {
        let world = try FishingWorld()
        try await Self.run(world) { ann, _ in
            #expect(
                try await ann.send("get", "&id=7").text
                    == #"{"fishingResponse":{"rc":0,"descr":"OK","items":[\#(Self.pier)]}}"#
            )
            let made = try await ann.send(
                "create",
                ann.spot(0, "Reef & rock, 50%", lat: "59.123457", lng: "-10.500000", isPublic: false, "a#1 + \"b\"")
            )
            let reef =
                #"{"id":11,"name":"Reef & rock, 50%","lat":59.123457,"lng":-10.500000,"publicSpot":0,"#
                + #""comments":"a#1 + \"b\"","owner":{"userId":"42","userName":"Ann","pictureUrl":"https://example.org/a.png"}}"#
            #expect(made.text == #"{"fishingResponse":{"rc":0,"descr":"OK","items":[\#(reef)]}}"#)
            let changed = try await ann.send(
                "update",
                ann.spot(11, "Reef", lat: "59.1", lng: "-10.5", isPublic: true, "")
            )
            let now =
                #"{"id":11,"name":"Reef","lat":59.100000,"lng":-10.500000,"publicSpot":1,"comments":"","#
                + #""owner":{"userId":"42","userName":"Ann","pictureUrl":"https://example.org/a.png"}}"#
            #expect(changed.text == #"{"fishingResponse":{"rc":0,"descr":"OK","items":[\#(now)]}}"#)
            let list = try await ann.send("list")
            #expect(list.text.hasPrefix(#"{"fishingResponse":{"rc":0,"descr":"OK","items":[\#(Self.pier),{"id":8,"#))
            #expect(list.text.hasSuffix(",\(now)]}}"))
            #expect(list.headers[.contentType] == "application/json; charset=utf-8")
            #expect(list.headers[.cacheControl] == "no-store")
            #expect(
                try await ann.send("delete", "&id=11").text == #"{"fishingResponse":{"rc":0,"descr":"OK","items":[]}}"#
            )
            #expect(try await ann.send("get", "&id=11").text.contains(#""rc":11,"#))
        }
    }

    @Test(.covers("PS-P05"))
    func `numbers keep all their digits, and none is taken beyond the globe`() async throws {
        let world = try FishingWorld()
        try await Self.run(world) { ann, _ in
            let fine = try await ann.send(
                "create",
                ann.spot(0, "Fine", lat: "59.91390000000001", lng: "0.1", isPublic: false, "")
            )
            #expect(fine.text.contains(#""lat":59.91390000000001,"lng":0.100000,"#))
            for (lat, lng) in [("90.000001", "0"), ("-91", "0"), ("0", "180.5"), ("0", "-181")] {
                let answer = try await ann.send("create", ann.spot(0, "Far", lat: lat, lng: lng, isPublic: false, ""))
                #expect(answer.text.contains(#""rc":14,"#), "\(lat) \(lng): \(answer.text)")
            }
            for text in ["", "north", "nan", "inf", "0x10", "1e999", "59,9"] {
                let answer = try await ann.send("create", ann.spot(0, "Odd", lat: text, lng: "0", isPublic: false, ""))
                #expect(answer.text.contains(#""rc":12,"#), "\(text): \(answer.text)")
            }
        }
    }

    @Test(.covers("PS-04"))
    func `hostile names come back as they were`() async throws {
        let world = try FishingWorld()
        let names = [
            "a&b=c", "#1", "1+1", "50%", "%41", "O'Hara", "\"q\"", "back\\slash", "(x),[y];{z}", "🎣👨‍👩‍👧",
            "!*'();:@&=+$,/?%#[]",
        ]
        try await Self.run(world) { ann, _ in
            for name in names {
                let comments = String(repeating: name + "ø", count: 10_000 / (name.utf8.count + 2))
                let answer = try await ann.send(
                    "create",
                    ann.spot(0, name, lat: "1", lng: "1", isPublic: false, comments.prefix(2_500).description)
                )
                let items = (answer.json["fishingResponse"] as? [String: Any])?["items"] as? [[String: Any]]
                #expect(items?.first?["name"] as? String == name, "\(answer.text.prefix(300))")
                #expect(items?.first?["comments"] as? String == comments.prefix(2_500).description)
            }
        }
    }

    @Test(.covers("PS-08"))
    func `each sees the own spots and those that are public`() async throws {
        let world = try FishingWorld()
        try await Self.run(world) { ann, bob in
            func names(_ client: FishingClient) async throws -> [String] {
                let response = try await client.send("list").json["fishingResponse"] as? [String: Any]
                return (response?["items"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            }
            #expect(try await names(ann) == ["Old pier", "Secret", "Quay"])
            #expect(try await names(bob) == ["Old pier", "Quay", "Hidden"])
            #expect(try await bob.send("get", "&id=8").text.contains(#""rc":11,"#))
            // Seen, and not the own one.
            let other = try await bob.send("update", bob.spot(7, "Mine", lat: "1", lng: "1", isPublic: true, ""))
            #expect(other.text.contains(#""rc":13,"#))
            #expect(try await bob.send("delete", "&id=7").text.contains(#""rc":13,"#))
            #expect(try await bob.send("delete", "&id=8").text.contains(#""rc":11,"#))
            #expect(try await names(ann) == ["Old pier", "Secret", "Quay"])
        }
    }

    @Test(.covers("PS-07"))
    func `the owner is the user of the token, whoever is named`() async throws {
        let world = try FishingWorld()
        try await Self.run(world) { ann, bob in
            let forger = FishingClient(client: bob.client, user: "42", token: bob.token)
            let made = try await forger.send(
                "create",
                forger.spot(0, "Forged", lat: "1", lng: "2", isPublic: false, "")
            )
            #expect(made.text.contains(#""owner":{"userId":"43","userName":"Bob","pictureUrl":""}"#))
            #expect(!(try await ann.send("list").text.contains("Forged")))
            #expect(world.log.lines.filter { $0.contains("named another user") }.count == 1)
            // Who names nobody or oneself is no forger.
            #expect(try await bob.send("get", "&id=9").text.contains(#""rc":0,"#))
            #expect(world.log.lines.filter { $0.contains("named another user") }.count == 1)
        }
    }

    @Test(.covers("PS-10"))
    func `each failure has a code and a text of its own`() async throws {
        let world = try FishingWorld()
        try await Self.run(world) { ann, _ in
            let spot = ann.spot(0, "x", lat: "a", lng: "1", isPublic: true, "")
            let stranger = FishingClient(client: ann.client, user: "42", token: "nonsense")
            let texts = [
                try await ann.send("get", "&id=x").text, try await ann.send("get", "&id=99").text,
                try await stranger.send("list").text, try await ann.send("create", spot).text,
                try await ann.send("fly").text, try await ann.send("get").text,
                try await ann.send("delete", "&id=9").text, try await ann.send("get", "&id=7&id=8").text,
                try await ann.send("create", ann.spot(0, "", lat: "1", lng: "1", isPublic: true, "")).text,
            ]
            let codes = texts.compactMap { $0.split(separator: ",").first.map(String.init) }
            #expect(
                codes == [10, 11, 2, 12, 1, 3, 13, 4, 14].map { "{\"fishingResponse\":{\"rc\":\($0)" },
                "\(texts)"
            )
            let messages = Set(texts.map { $0.components(separatedBy: "\"descr\":").last ?? "" })
            #expect(messages.count == texts.count)
            #expect(texts.allSatisfy { $0.hasSuffix(#","items":[]}}"#) })
        }
    }

    @Test(.covers("PS-10"))
    func `of a failure of the server only a reference is told, which stands in the log`() async throws {
        let world = try FishingWorld()
        try await Self.run(world) { ann, _ in
            #expect(try await ann.send("list").text.contains(#""rc":0,"#))
            try SQLiteScript.run(
                "ALTER TABLE Users RENAME COLUMN PictureUrl TO Gone",
                path: world.data.folder(domain: "fishing") + "/data.sqlite"
            )
            let answer = try await ann.send("list")
            #expect(answer.text.contains(#""rc":99,"#), "\(answer.text)")
            for inside in ["SELECT", "SQLite", "PictureUrl", ".swift", "Error"] {
                #expect(!answer.text.contains(inside))
            }
            let reference = try #require(answer.text.firstMatch(of: /under ([0-9a-f]+)\./)?.1)
            #expect(world.log.lines.contains { $0.contains("reference=\(reference)") })
        }
    }

    @Test(.covers("PS-06", "MD-I78"))
    func `a picture of 5 MB goes in and comes out unchanged`() async throws {
        let world = try FishingWorld()
        var numbers = SystemRandomNumberGenerator()
        let picture: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0] + (0..<(5 << 20)).map { _ in UInt8.random(in: 0...255, using: &numbers) } + [
                0xFF, 0xD9,
            ]
        try await Self.run(world) { ann, bob in
            let fields = [
                ("fish", "Cod & chips"), ("weight", "2350"), ("caught_at", "2026-05-02T04:40:00Z"), ("spot", "7"),
                ("comments", "line\r\nbreak"),
            ]
            let made = try await ann.send(catch: fields, picture: picture)
            #expect(
                made.text
                    == #"{"fishingResponse":{"rc":0,"descr":"OK","items":[{"id":1,"spot":7,"fish":"Cod & chips","weight":2350,"#
                    + #""caughtAt":"2026-05-02T04:40:00Z","comments":"line\u000d\u000abreak","pictures":1}]}}"#
            )
            let bearer: HTTPFields = [.authorization: "Bearer \(bob.token)"]
            let read = try await bob.client.get("/odata/fishing/Pictures(1)/$value", bearer)
            #expect(read.headers[.contentType] == "image/jpeg")
            // Of two that differ a test would look for the least difference, byte by byte.
            let isSame = Array(read.body.readableBytesView) == picture
            #expect(isSame, "\(read.status) \(read.body.readableBytes) bytes")
            let entity = try await bob.client.get("/odata/fishing/Catches(1)/Pictures", bearer)
            #expect(entity.text.contains(#""PictureId":1,"CatchId":1,"ContentType":"image/jpeg""#))
        }
    }

    @Test(.covers("PS-06"))
    func `pictures too large, of another type or without a catch are refused, and leave nothing`() async throws {
        let world = try FishingWorld(pictureBytes: 1000)
        try await Self.run(world) { ann, _ in
            let fields = [("fish", "Cod"), ("weight", "1"), ("caught_at", "2026-05-02T04:40:00Z"), ("spot", "7")]
            func code(_ fields: [(String, String)], _ count: Int, _ type: String = "image/jpeg") async throws -> String
            {
                let answer = try await ann.send(catch: fields, picture: Array(repeating: 7, count: count), type: type)
                let code = answer.text.firstMatch(of: /"rc":([0-9]+),/)?.1 ?? ""
                return "\(answer.status.code) \(code)"
            }
            #expect(try await code(fields, 1001) == "413 20")
            #expect(try await code(fields, 10, "image/gif") == "415 21")
            #expect(try await code(fields, 10, "text/html") == "415 21")
            #expect(try await code([("fish", "Cod")], 10) == "200 3")
            // A spot that is hidden is as good as none.
            #expect(try await code(fields.dropLast() + [("spot", "10")], 10) == "200 14")
            #expect(try await code(fields.dropLast() + [("spot", "99")], 10) == "200 14")
            // A body that says how long it is is not even waited for.
            let port = try #require(ann.client.port)
            let head =
                "POST /services/catches.php HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000000\r\n"
                + "Content-Type: multipart/form-data; boundary=b\r\nExpect: 100-continue\r\n\r\n"
            let refused = try await OwnThread.run {
                try RawConnection.exchange(head, port: port, endsSending: false)
            }
            #expect(refused.hasPrefix("HTTP/1.1 413 "), "\(refused)")
            #expect(refused.contains(#""rc":20,"#))
            let other = try await ann.client.post(
                "/services/catches.php",
                "a=b",
                type: "application/x-www-form-urlencoded"
            )
            #expect(other.status.code == 415)
            #expect(other.text.contains(#""rc":22,"#))
            for set in ["Catches", "Pictures"] {
                let count = try await ann.client.get(
                    "/odata/fishing/\(set)/$count",
                    [.authorization: "Bearer \(ann.token)"]
                )
                #expect(count.text == "0")
            }
        }
    }

    @Test func `the door is shut unless the domain opens it, and no token stands in a log`() async throws {
        let shut = try FishingWorld(hasDoor: false)
        try await Self.run(shut) { ann, _ in
            let answer = try await ann.send("list")
            #expect(answer.status == .notFound)
        }
        #expect(!shut.log.lines.contains { $0.contains("INSECURE") })
        let open = try FishingWorld()
        let token = try open.token("ann")
        try await open.server.application().test(.live) { client in
            let ann = FishingClient(client: client, user: "42", token: token)
            for answer in [try await ann.send("list"), try await ann.send("get", "&id=zzz")] {
                #expect(answer.status == .ok)
            }
        }
        #expect(open.log.lines.contains { $0.contains("INSECURE") && $0.contains("domain=fishing") })
        #expect(open.log.lines.contains { $0.contains("path=/services/locations.php") })
        #expect(!open.log.lines.contains { $0.contains(token) || $0.contains("zzz") })
    }
}
