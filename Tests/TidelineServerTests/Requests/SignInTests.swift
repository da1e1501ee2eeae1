// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TidelineServer
import Testing
import TidelineTestSupport

struct SignInTests {
    let world: ServerWorld

    init() throws { world = try ServerWorld() }

    @Test(.covers("DA-83", "DA-78")) func `a password gives tokens that open the domain`() async throws {
        try await world.server.application().test(.live) { client in
            let answer = try await client.signIn()
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.json["token_type"] as? String == "Bearer")
            #expect(answer.json["expires_in"] as? Int == 900)
            let user = try #require(answer.json["user"] as? [String: Any])
            #expect(user["id"] as? Int == 1)
            #expect(user["name"] as? String == "ada")
            #expect(user["roles"] as? [String] == ["member"])
            let access = try #require(answer.json["access_token"] as? String)
            let notes = try await client.get("/odata/club/Notes", [.authorization: "Bearer \(access)"])
            #expect(notes.status == .ok)
            #expect((notes.json["value"] as? [Any])?.count == 2)
        }
    }

    @Test(.covers("DA-78")) func `without a token the domain answers 401 and says how to sign in`() async throws {
        try await world.server.application().test(.live) { client in
            for path in ["", "$metadata", "Notes", "Notes(1)", "Notes/$count", "Nonsense"] {
                let answer = try await client.get("/odata/club/\(path)")
                #expect(answer.status == .unauthorized, "\(path)")
                #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"club\"")
                #expect(answer.errorCode == "SignInRequired")
            }
            let post = try await client.post("/odata/club/$batch", #"{"requests":[]}"#)
            #expect(post.status == .unauthorized)
        }
    }

    @Test(arguments: ["Basic YWRhOmNvcnJlY3QgaG9yc2U=", "Basic", "Negotiate abc", "abc"])
    func `another scheme than Bearer is told where a token comes from`(field: String) async throws {
        try await world.server.application().test(.live) { client in
            for domain in ["club", "shop"] {
                let answer = try await client.get("/odata/\(domain)/Notes", [.authorization: field])
                #expect(answer.status == .unauthorized)
                #expect(answer.errorCode == "SignInRequired")
                #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"\(domain)\"")
                #expect(answer.text.contains("POST /auth/\(domain)/token"), "\(answer.text)")
            }
        }
    }

    @Test(arguments: ["Bearer nonsense", "Bearer", "Bearer a b"])
    func `any other authorization is an invalid token`(field: String) async throws {
        try await world.server.application().test(.live) { client in
            for domain in ["club", "shop"] {
                let answer = try await client.get("/odata/\(domain)/Notes", [.authorization: field])
                #expect(answer.status == .unauthorized)
                #expect(answer.errorCode == "InvalidToken")
                #expect(answer.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
        }
    }

    @Test func `a wrong password is refused, and after five the name waits`() async throws {
        try await world.server.application().test(.live) { client in
            for _ in 1...5 {
                let answer = try await client.signIn("wrong horse")
                #expect(answer.status == .unauthorized)
                #expect(answer.errorCode == "InvalidCredentials")
            }
            let locked = try await client.signIn()
            #expect(locked.status == .tooManyRequests)
            #expect(locked.errorCode == "SignInLocked")
            #expect(locked.headers[.retryAfter].flatMap { Int($0) }.map { 1...30 ~= $0 } == true)
        }
    }

    @Test func `a refresh token gives the next pair, and revoked it gives nothing`() async throws {
        try await world.server.application().test(.live) { client in
            let first = try await client.signIn().json["refresh_token"] as? String ?? ""
            let answer = try await client.post(
                "/auth/club/token",
                #"{"grant_type":"refresh_token","refresh_token":"\#(first)"}"#
            )
            #expect(answer.status == .ok)
            let second = answer.json["refresh_token"] as? String ?? ""
            let access = answer.json["access_token"] as? String ?? ""
            #expect(second != first)
            let revoked = try await client.post("/auth/club/revoke", #"{"refresh_token":"\#(second)"}"#)
            #expect(revoked.status == .noContent)
            let notes = try await client.get("/odata/club/Notes", [.authorization: "Bearer \(access)"])
            #expect(notes.status == .unauthorized)
            let refused = try await client.post(
                "/auth/club/token",
                #"{"grant_type":"refresh_token","refresh_token":"\#(second)"}"#
            )
            #expect(refused.status == .unauthorized)
            #expect(refused.errorCode == "InvalidToken")
        }
    }

    @Test(arguments: [
        ("", "InvalidBody"), ("{", "InvalidBody"), ("[]", "InvalidBody"), ("{}", "UnsupportedGrant"),
        (#"{"grant_type":"password"}"#, "InvalidBody"), (#"{"grant_type":"password","username":1}"#, "InvalidBody"),
        (#"{"grant_type":"refresh_token"}"#, "InvalidBody"), (#"{"grant_type":"magic"}"#, "UnsupportedGrant"),
    ])
    func `a form that is none is refused`(body: String, code: String) async throws {
        try await world.server.application().test(.live) { client in
            let answer = try await client.post("/auth/club/token", body)
            #expect(answer.status == .badRequest)
            #expect(answer.errorCode == code)
        }
    }

    @Test func `other methods, addresses, types and sizes are refused`() async throws {
        try await world.server.application().test(.live) { client in
            let get = try await client.get("/auth/club/token")
            #expect(get.status == .methodNotAllowed)
            #expect(get.headers[.allow] == "POST")
            #expect(try await client.post("/auth/nobody/token", "{}").status == .notFound)
            #expect(try await client.post("/auth/club/password", "{}").status == .notFound)
            #expect(
                try await client.post("/auth/club/token", "a=b", type: "text/plain").status == .unsupportedMediaType
            )
            let large = String(repeating: " ", count: 20_000)
            #expect(try await client.post("/auth/club/token", large).status == .contentTooLarge)
        }
    }

    @Test(.covers("SB-F022"))
    func `a peer that is not known to be on this machine may not send a password without TLS`() async throws {
        try await world.server.application().test(.router) { client in
            let answer = try await client.signIn()
            #expect(answer.status == .forbidden)
            #expect(answer.errorCode == "PlainTextRefused")
        }
    }

    @Test(.covers("SB-F022")) func `the log names no token, password or key`() async throws {
        try await world.server.application().test(.live) { client in
            let access = try await client.signIn().json["access_token"] as? String ?? ""
            _ = try await client.get(
                "/odata/club/Notes(1)?$filter=Body%20eq%20'secret'",
                [.authorization: "Bearer \(access)"]
            )
            _ = try await client.signIn("guessed it")
            let lines = world.log.lines
            #expect(lines.contains { $0.contains("method=GET") && $0.contains("path=/odata/club/Notes(…)") })
            for secret in [access, "secret", "guessed", "correct horse", "(1)"] {
                #expect(!lines.contains { $0.contains(secret) }, "\(secret)")
            }
        }
    }
}
