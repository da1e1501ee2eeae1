// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// What the door of the fishing app says of values that are none, and of what it does not take.
struct FishingNumberTests {
    private static func run(_ body: @Sendable (FishingClient) async throws -> Void) async throws {
        let world = try FishingWorld()
        let token = try world.token("ann")
        try await world.server.application().test(.live) { client in
            try await body(FishingClient(client: client, user: "42", token: token))
        }
    }

    /// `rc` and `descr` of an answer, as `12 The number …`.
    private static func told(_ response: TestResponse) -> String {
        let answer = response.json["fishingResponse"] as? [String: Any]
        return "\(answer?["rc"] as? Int ?? -1) \(answer?["descr"] as? String ?? "")"
    }

    /// Numbers in other scripts, with signs, blanks, separators, of other bases, and beyond what a number holds.
    private static let hostile = [
        "", "x", "1e", "--1", ".", "1_0", "0x10", "1,5", " 1", "1 ", "\u{0661}", "\u{FF11}", "1;DROP", "NaN",
        "Infinity", "1e999", "'1'", "1+1",
    ]

    @Test(.covers("PS-10"))
    func `a coordinate that is no number is told by its name`() async throws {
        try await Self.run { ann in
            for text in Self.hostile {
                let encoded = FishingClient.encode(text)
                for (name, lat, lng) in [("lat", encoded, "1"), ("lng", "1", encoded)] {
                    let spot = ann.spot(0, "Odd", lat: lat, lng: lng, isPublic: true, "")
                    let told = Self.told(try await ann.send("create", spot))
                    #expect(told == "12 The number \(name) is \"\(text)\", which is none.")
                }
            }
        }
    }

    @Test(.covers("PS-10"))
    func `a weight that is none is told as a number, and a spot as an id`() async throws {
        try await Self.run { ann in
            func told(weight: String, spot: String) async throws -> String {
                let fields = [
                    ("fish", "Cod"), ("weight", weight), ("caught_at", "2026-05-02T04:40:00Z"), ("spot", spot),
                ]
                return Self.told(try await ann.send(catch: fields, picture: nil))
            }
            for text in Self.hostile + ["0", "-1", "1.5", "1e3", "9223372036854775808"] {
                let weight = try await told(weight: text, spot: "7")
                #expect(weight == "12 The number weight is \"\(text)\", which is none.")
                let spot = try await told(weight: "1", spot: text)
                #expect(spot == "10 \"\(text)\" is no id.")
            }
        }
    }

    @Test(.covers("PS-10"))
    func `an empty name is told as one, of a spot and of a fish`() async throws {
        try await Self.run { ann in
            let spot = ann.spot(0, "", lat: "1", lng: "1", isPublic: true, "")
            #expect(Self.told(try await ann.send("create", spot)) == "14 A spot has a name: Name is empty.")
            let caught = try await ann.send(
                catch: [("fish", ""), ("weight", "1"), ("caught_at", "2026-05-02T04:40:00Z"), ("spot", "7")],
                picture: nil
            )
            #expect(Self.told(caught) == "14 A catch says of which fish it is: Fish is empty.")
        }
    }

    @Test(
        .covers("PS-P05"),
        arguments: [
            (-0.00001, "-0.000010"), (1.5e-7, "0.00000015"), (59.9139, "59.913900"), (0, "0.000000"),
            (-180, "-180.000000"), (2e-10, "0.0000000002"), (1e16, "10000000000000000.000000"),
        ] as [(Double, String)]
    )
    func `coordinates have a point and no exponent, however small they are`(number: Double, text: String) {
        #expect(FishingResponse.degrees(number) == text)
        #expect(Double(FishingResponse.degrees(number)) == number)
    }

    @Test(.covers("PS-10"))
    func `a small coordinate comes back as %f writes it, and another method is told which is taken`() async throws {
        try await Self.run { ann in
            let spot = ann.spot(0, "Null island", lat: "-0.00001", lng: "0.0000005", isPublic: true, "")
            let made = try await ann.send("create", spot)
            #expect(made.text.contains(#""lat":-0.000010,"lng":0.0000005,"#), "\(made.text)")
            for (path, taken, other) in [("locations", "GET", HTTPRequest.Method.post), ("catches", "POST", .get)] {
                let refused = try await ann.client.execute(uri: "/services/\(path).php", method: other)
                #expect(refused.status == .methodNotAllowed)
                #expect(refused.headers[.allow] == taken)
                #expect(Self.told(refused) == "23 This address takes \(taken).")
            }
        }
    }
}
