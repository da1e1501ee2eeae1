// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineServer
import TidelineService

struct DomainRegistryTests {
    let world: ServerWorld

    init() throws { world = try ServerWorld() }

    @Test func `a changed file counts with the next request`() async throws {
        try await world.server.application().test(.live) { client in
            #expect(try await client.get("/odata/shop/Notes").status == .ok)
            let file = world.data.file(domain: "shop")
            var domain = try Domain(contentsOf: file)
            domain.isOpen = false
            try domain.write(to: file)
            #expect(try await client.get("/odata/shop/Notes").status == .unauthorized)
            domain.isOpen = true
            try domain.write(to: file)
            #expect(try await client.get("/odata/shop/Notes").status == .ok)
        }
    }

    @Test(arguments: ["", "{", "name: shop", "format: 1\nname: other\ndatabase: {kind: sqlite, path: x}\nsets: []"])
    func `a broken file makes its domain unavailable and no other, until it is repaired`(text: String) async throws {
        try await world.server.application().test(.live) { client in
            let file = world.data.file(domain: "shop")
            let good = try String(contentsOfFile: file, encoding: .utf8)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let broken = try await client.get("/odata/shop/Notes")
            #expect(broken.status == .serviceUnavailable)
            #expect(broken.errorCode == "DomainUnavailable")
            #expect(broken.headers[.retryAfter] == "10")
            #expect(try await client.get("/odata/club/Notes").status == .unauthorized)
            _ = try await client.get("/odata/shop/Notes")
            #expect(world.log.lines.count { $0.contains("cannot be served") && $0.contains("domain=shop") } == 1)
            try good.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await client.get("/odata/shop/Notes").status == .ok)
        }
    }

    @Test func `a domain comes and goes with its folder`() async throws {
        try await world.server.application().test(.live) { client in
            #expect(try await client.get("/odata/new/Notes").status == .notFound)
            try ServerWorld.publish("new", world.data, isOpen: true)
            #expect(try await client.get("/odata/new/Notes").status == .ok)
            try FileManager.default.removeItem(atPath: world.data.folder(domain: "new"))
            #expect(try await client.get("/odata/new/Notes").status == .notFound)
        }
    }

    @Test func `a database that is missing makes the domain unavailable`() async throws {
        try FileManager.default.removeItem(atPath: world.data.folder(domain: "shop") + "/data.sqlite")
        try await world.server.application().test(.live) { client in
            let answer = try await client.get("/odata/shop/Notes")
            #expect(answer.status == .serviceUnavailable)
            let line = try #require(world.log.lines.first { $0.contains("cannot be served") })
            let file = world.data.folder(domain: "shop") + "/data.sqlite"
            #expect(line.hasSuffix(" domain=shop reason=io: There is no file '\(file)'."), "\(line)")
        }
    }
}
