// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineServer

struct WebDoorTests {
    let world: ServerWorld

    init() throws { world = try ServerWorld() }

    @Test func `a file of the folder Web is served as it stands there, with its media type`() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/TidelineServer/Web").standardized
        try await world.server.application().test(.live) { client in
            let style = try await client.get("/assets/tideline.css")
            #expect(style.status == .ok)
            #expect(style.headers[.contentType] == "text/css; charset=utf-8")
            #expect(
                style.text == (try String(contentsOf: folder.appending(path: "assets/tideline.css"), encoding: .utf8))
            )
            let mark = try await client.get("/assets/tideline.svg")
            #expect(mark.headers[.contentType] == "image/svg+xml")
            #expect(
                mark.text == (try String(contentsOf: folder.appending(path: "assets/tideline.svg"), encoding: .utf8))
            )
            #expect(try await client.get("/favicon.ico").text == mark.text)
        }
    }

    @Test func `a browser that has a file asks whether it changed, and does not get it twice`() async throws {
        try await world.server.application().test(.live) { client in
            let first = try await client.get("/assets/tideline.css")
            let tag = try #require(first.headers[.eTag])
            #expect(first.headers[.cacheControl] == "no-cache")
            for known in [tag, "W/\(tag)", "\"other\", \(tag)"] {
                let again = try await client.get("/assets/tideline.css", [.ifNoneMatch: known])
                #expect(again.status == .notModified)
                #expect(again.text.isEmpty)
                #expect(again.headers[.eTag] == tag)
            }
            #expect(try await client.get("/assets/tideline.css", [.ifNoneMatch: "\"other\""]).status == .ok)
        }
    }

    @Test func `scripts come from this server alone, and nothing outside the folder is reached`() async throws {
        try await world.server.application().test(.live) { client in
            let style = try await client.get("/assets/tideline.css")
            let policy = try #require(style.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(style.headers[.xContentTypeOptions] == "nosniff")
            for path in [
                "/assets/../signing.key", "/assets/%2e%2e/signing.key", "/assets/", "/assets", "/apps/nowhere/",
            ] {
                #expect(try await client.get(path).status == .notFound, "\(path)")
            }
            #expect(try await client.post("/assets/tideline.css", "{}").status == .methodNotAllowed)
        }
    }
}
