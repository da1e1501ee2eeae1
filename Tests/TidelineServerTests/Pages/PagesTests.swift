// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineOData
import TidelineServer

struct PagesTests {
    let world: ServerWorld

    init() throws { world = try ServerWorld() }

    @Test func `the first page lists the domains with their links and how to clone`() async throws {
        try await world.server.application().test(.live) { client in
            let page = try await client.get("/")
            #expect(page.status == .ok)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            for text in [
                "<a href=\"/odata/shop/\">Service document</a>", "<a href=\"/odata/shop/$metadata\">",
                "<a href=\"/odata/shop/Notes?$top=20\">Notes</a>",
                "tideline clone http://localhost/odata/shop/ shop.tideline", "--user NAME", "2 domains served",
                Release.version,
            ] {
                #expect(page.text.contains(text), "\(text)")
            }
            for domain in ["shop", "club"] { #expect(page.text.contains("<a href=\"/odata/\(domain)/openapi.json\">")) }
            #expect(!page.text.contains("Insecure"))
            // What signed-in users alone may know is not told: the club's sets.
            #expect(!page.text.contains("/odata/club/Notes"))
        }
    }

    @Test func `no page asks another host for anything, and scripts are forbidden`() async throws {
        try await world.server.application().test(.live) { client in
            for path in ["/", "/nowhere"] {
                let page = try await client.get(path, [.accept: "text/html"])
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none';"))
                #expect(!page.text.contains("<script"))
                #expect(!page.text.contains("src=\"http"))
                #expect(!page.text.contains("style=\""))
            }
            let style = try await client.get("/assets/tideline.css")
            #expect(style.headers[.contentType] == "text/css; charset=utf-8")
            #expect(style.text.contains("prefers-color-scheme: dark"))
            #expect(!style.text.contains("url("))
            #expect(try await client.get("/assets/tideline.svg").headers[.contentType] == "image/svg+xml")
        }
    }

    @Test func `an address that leads nowhere gets a page for people and an error for programs`() async throws {
        try await world.server.application().test(.live) { client in
            let page = try await client.get("/%3Cb%3Enowhere", [.accept: "text/html,*/*"])
            #expect(page.status == .notFound)
            #expect(page.text.contains("Nothing is here"))
            #expect(!page.text.contains("<b>"))
            let error = try await client.get("/nowhere")
            #expect(error.status == .notFound)
            #expect(error.errorCode == "NotFound")
            let post = try await client.post("/", "{}")
            #expect(post.status == .methodNotAllowed)
        }
    }

    @Test func `health names what is unavailable by number, and the page by name`() async throws {
        try await world.server.application().test(.live) { client in
            #expect(try await client.get("/healthz").json["status"] as? String == "ok")
            try "open: [".write(toFile: world.data.file(domain: "club"), atomically: true, encoding: .utf8)
            let health = try await client.get("/healthz")
            #expect(health.json["status"] as? String == "degraded")
            #expect(health.json["unavailable"] as? Int == 1)
            let page = try await client.get("/")
            #expect(page.text.contains("2 domains, 1 unavailable"))
        }
    }

    @Test func `a server without domains says how to publish one`() async throws {
        for domain in ["shop", "club"] { try FileManager.default.removeItem(atPath: world.data.folder(domain: domain)) }
        try await world.server.application().test(.live) { client in
            let page = try await client.get("/")
            #expect(page.text.contains("Nothing is published yet"))
            #expect(page.text.contains("tideline publish sqlite:"))
        }
    }

    @Test func `the first page opens with the apps whose domains are served`() async throws {
        try await world.server.application().test(.live) { client in
            #expect(!(try await client.get("/")).text.contains("/apps/"))
            let folder = world.data.folder(domain: "sixbookmarks")
            try FileManager.default.copyItem(atPath: world.data.folder(domain: "shop"), toPath: folder)
            let page = try await client.get("/").text
            #expect(page.contains("<a href=\"/apps/sixbookmarks/\">Six Bookmarks</a>"))
            let apps = try #require(page.range(of: "id=\"apps-title\""))
            let domains = try #require(page.range(of: "id=\"domains-title\""))
            #expect(apps.lowerBound < domains.lowerBound)
        }
    }
}
