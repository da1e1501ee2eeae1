// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TidelineServer
import TidelineTestSupport

/// Who sees the picture of a catch: whoever sees its spot.
struct FishingPictureTests {
    private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    @Test(.covers("PS-04", "PS-06"), arguments: [("8", 404), ("7", 200)])
    func `a picture of a private catch is nobody else's to see, one of a public spot is everybody's`(
        spot: String,
        others: Int
    ) async throws {
        let world = try FishingWorld()
        let (ann, bob) = (try world.token("ann"), try world.token("bob"))
        try await world.server.application().test(.live) { client in
            let fields = [
                ("fish", "Trout"), ("weight", "1760"), ("caught_at", "2026-09-05T05:55:00Z"), ("spot", spot),
            ]
            let made = try await FishingClient(client: client, user: "42", token: ann)
                .send(catch: fields, picture: Self.picture)
            #expect(made.text.contains(#""rc":0,"#), "\(made.text)")
            for path in ["Pictures(1)", "Pictures(1)/$value", "Catches(1)/Pictures", "FishingSpots(\(spot))"] {
                let address = "/odata/fishing/\(path)"
                let own = try await client.get(address, [.authorization: "Bearer \(ann)"])
                #expect(own.status == .ok, "\(path)")
                let other = try await client.get(address, [.authorization: "Bearer \(bob)"])
                #expect(other.status.code == others, "\(path)")
                #expect(try await client.get(address).status == .unauthorized, "\(path)")
            }
            let read = try await client.get("/odata/fishing/Pictures(1)/$value", [.authorization: "Bearer \(ann)"])
            #expect(Array(read.body.readableBytesView) == Self.picture)
        }
    }
}
