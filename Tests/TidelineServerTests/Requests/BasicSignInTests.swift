// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TidelineServer
import TidelineTestSupport

/// A name and a password with each request: RFC 7617.
struct BasicSignInTests {
    private static func basic(_ text: String) -> HTTPFields {
        [.authorization: "Basic " + Data(text.utf8).base64EncodedString()]
    }

    @Test func `a server that was not told to takes no password with a request`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let answer = try await client.execute(
                uri: "/odata/club/Notes",
                method: .get,
                headers: Self.basic("ada:correct horse")
            )
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[values: .wwwAuthenticate] == ["Bearer realm=\"club\""])
        }
    }

    @Test(.covers("OD-1.2.10"))
    func `a name and a password open what they open, and the challenge says so`() async throws {
        let world = try ServerWorld(takesBasic: true)
        try await world.server.application().test(.live) { client in
            let asked = try await client.get("/odata/club/Notes")
            #expect(asked.status == .unauthorized && asked.errorCode == "SignInRequired")
            #expect(
                asked.headers[values: .wwwAuthenticate]
                    == ["Bearer realm=\"club\"", "Basic realm=\"club\", charset=\"UTF-8\""]
            )
            for scheme in ["Basic", "basic", "BASIC"] {
                let field = scheme + " " + Data("Ada:correct horse".utf8).base64EncodedString()
                let answer = try await client.get("/odata/club/Notes", [.authorization: field])
                #expect(answer.status == .ok)
                // Every second note is hers, as with a token.
                let notes = try #require(answer.json["value"] as? [[String: Any]])
                #expect(notes.compactMap { $0["Id"] as? Int } == [1, 3])
            }
            var fields = Self.basic("ada:correct horse")
            fields[.contentType] = "application/json"
            let made = try await client.execute(
                uri: "/odata/club/Notes",
                method: .post,
                headers: fields,
                body: ByteBuffer(string: ##"{"Id":9,"OwnerId":1,"Body":"b"}"##)
            )
            #expect(made.status == .created)
        }
    }

    @Test func `what is wrong is refused alike, and locked after a few times`() async throws {
        let world = try ServerWorld(takesBasic: true)
        try await world.server.application().test(.live) { client in
            for text in ["ada:wrong horse", "nobody:correct horse", "ada", ":", "ada:"] {
                let answer = try await client.get(
                    "/odata/club/Notes",
                    [.authorization: "Basic " + Data(text.utf8).base64EncodedString()]
                )
                #expect(answer.status == .unauthorized && answer.errorCode == "InvalidCredentials", "\(text)")
                #expect(answer.headers[values: .wwwAuthenticate] == ["Basic realm=\"club\", charset=\"UTF-8\""])
            }
            for field in ["Basic", "Basic ?", "Basic /w=="] {
                let answer = try await client.get("/odata/club/Notes", [.authorization: field])
                #expect(answer.status == .unauthorized && answer.errorCode == "InvalidCredentials", "\(field)")
            }
            var locked: HTTPFields?
            for _ in 0..<20 where locked == nil {
                let answer = try await client.get(
                    "/odata/club/Notes",
                    [.authorization: "Basic " + Data("ada:wrong horse".utf8).base64EncodedString()]
                )
                if answer.status == .tooManyRequests { locked = answer.headers }
            }
            #expect(Int(locked?[.retryAfter] ?? "") ?? 0 > 0)
            // Locked is locked, by whichever door.
            let token = try await client.execute(
                uri: "/auth/club/token",
                method: .post,
                headers: [.contentType: "application/json"],
                body: ByteBuffer(string: ##"{"grant_type":"password","username":"ada","password":"correct horse"}"##)
            )
            #expect(token.status == .tooManyRequests)
        }
    }

    @Test func `a page of another site changes nothing with what the browser remembers`() async throws {
        let world = try ServerWorld(takesBasic: true)
        try await world.server.application().test(.live) { client in
            var fields = Self.basic("ada:correct horse")
            fields[.origin] = "https://elsewhere.example"
            let answer = try await client.execute(
                uri: "/odata/club/Notes(1)",
                method: .delete,
                headers: fields
            )
            #expect(answer.status == .forbidden && answer.errorCode == "CrossSiteRefused")
        }
    }

    @Test func `an unknown domain costs no password`() async throws {
        let world = try ServerWorld(takesBasic: true)
        try await world.server.application().test(.live) { client in
            let answer = try await client.execute(
                uri: "/odata/nothing/Notes",
                method: .get,
                headers: Self.basic("ada:correct horse")
            )
            #expect(answer.status == .notFound)
        }
    }
}
