// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TidelineServer
import TidelineTestSupport

/// A user of the fishing domain who claims, over OData, to be another, or writes to what another has.
struct FishingOwnerTests {
    private let world: FishingWorld

    /// Catches of ann at her public spot (7), of bob at his hidden one (10).
    init() throws {
        world = try FishingWorld(
            sql: FishingWorld.spots
                + """
                INSERT INTO Catches (CatchId, SpotId, OwnerId, Fish, WeightInGrams, CaughtAt) VALUES
                    (1, 7, 42, 'Cod', 900, '2026-05-01T06:00:00Z'), (2, 10, 43, 'Pike', 4000, '2026-05-02T06:00:00Z');
                """
        )
    }

    private static func spot(_ owner: Int) -> String {
        #"{"Name":"Forged","Lat":1,"Lng":2,"IsPublicSpot":true,"OwnerId":\#(owner)}"#
    }

    private static func fish(_ spot: Int, _ owner: Int) -> String {
        #"{"SpotId":\#(spot),"OwnerId":\#(owner),"Fish":"Eel","WeightInGrams":1,"CaughtAt":"2026-05-03T06:00:00Z"}"#
    }

    private static func batch(_ url: String, _ body: String) -> String {
        #"{"requests":[{"id":"1","atomicityGroup":"g","method":"POST","url":"\#(url)","#
            + #""headers":{"content-type":"application/json"},"body":\#(body)}]}"#
    }

    private func send(
        _ client: any TestClientProtocol,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String,
        _ token: String
    ) async throws -> TestResponse {
        try await client.execute(
            uri: "/odata/fishing/" + path,
            method: method,
            headers: [.authorization: "Bearer \(token)", .contentType: "application/json"],
            body: ByteBuffer(string: body)
        )
    }

    /// What bob sees, and so all that is his.
    private func rows(_ client: any TestClientProtocol, _ token: String) async throws -> [String] {
        var texts: [String] = []
        for path in ["FishingSpots?$orderby=Id", "Catches?$orderby=CatchId", "Pictures", "Users?$orderby=UserId"] {
            texts.append(try await send(client, .get, path, "", token).text)
        }
        return texts
    }

    @Test(.covers("PS-04"))
    func `ann adds nothing in bob's name, gives him nothing and takes nothing of his`() async throws {
        let (ann, bob) = (try world.token("ann"), try world.token("bob"))
        try await world.server.application().test(.live) { client in
            let (before, own) = (try await rows(client, bob), try await rows(client, ann))
            let forged: [(HTTPRequest.Method, String, String)] = [
                (.post, "FishingSpots", Self.spot(43)),
                (.post, "Catches", Self.fish(9, 43)),
                (.patch, "FishingSpots(7)", #"{"OwnerId":43}"#),
                (.patch, "FishingSpots(9)", #"{"OwnerId":42}"#),
                (.patch, "FishingSpots(9)", #"{"Name":"mine"}"#),
                (.put, "FishingSpots(10)", Self.spot(42)),
                (.delete, "FishingSpots(9)", ""),
                (.delete, "FishingSpots(10)", ""),
                (.patch, "Catches(1)", #"{"OwnerId":43}"#),
                (.patch, "Catches(2)", #"{"OwnerId":42}"#),
                (.delete, "Catches(2)", ""),
                (.patch, "Users(43)", #"{"UserName":"Ann"}"#),
                (.patch, "Users(42)", #"{"UserName":"Bob"}"#),
            ]
            for (method, path, body) in forged {
                let answer = try await send(client, method, path, body, ann)
                #expect([403, 404, 405, 409].contains(answer.status.code), "\(method) \(path) \(answer.status)")
                #expect(answer.errorCode?.isEmpty == false, "\(method) \(path)")
            }
            for (url, body) in [("FishingSpots", Self.spot(43)), ("Catches", Self.fish(9, 43))] {
                let answer = try await send(client, .post, "$batch", Self.batch(url, body), ann)
                let refusals = [403, 409].map { "\"status\":\($0)" }
                #expect(refusals.contains { answer.text.contains($0) }, "\(answer.text)")
            }
            #expect(try await rows(client, bob) == before)
            #expect(try await rows(client, ann) == own)
        }
    }

    @Test(.covers("PS-04"))
    func `a catch is of a spot that its owner sees, and nobody learns of a hidden one by trying`() async throws {
        let (ann, bob) = (try world.token("ann"), try world.token("bob"))
        try await world.server.application().test(.live) { client in
            let public_ = try await send(client, .post, "Catches", Self.fish(9, 42), ann)
            #expect(public_.status == .created, "\(public_.text)")
            let hidden = try await send(client, .post, "Catches", Self.fish(10, 42), ann)
            let absent = try await send(client, .post, "Catches", Self.fish(4711, 42), ann)
            #expect(hidden.status != .created, "\(hidden.text)")
            // The same answer but for the number that was asked about.
            #expect(hidden.status == absent.status)
            #expect(hidden.errorCode == absent.errorCode)
            #expect(hidden.text.replacing("10", with: "#") == absent.text.replacing("4711", with: "#"))
            // Nor is a catch of the own moved there.
            let moved = try await send(client, .patch, "Catches(1)", #"{"SpotId":10}"#, ann)
            #expect(moved.status.code >= 400, "\(moved.text)")
            let seen = try await send(client, .get, "Catches?$filter=SpotId%20eq%2010&$select=CatchId", "", bob)
            #expect((seen.json["value"] as? [[String: Any]])?.compactMap { $0["CatchId"] as? Int } == [2])
        }
    }
}
