// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineOData
import TidelineStorage

@testable import TidelineService

/// Which reads may be answered by a copy of the database that lags behind.
struct ReadCopyTests {
    /// The shop's store, with a note of how it was read.
    private final class Watched: Store {
        let store: any Store
        let reads = Mutex<[String]>([])
        var model: EntityModel { store.model }

        init(_ store: any Store) { self.store = store }

        func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
            reads.withLock { $0.append("itself") }
            return try store.read(body)
        }

        func readCopy<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
            reads.withLock { $0.append("copy") }
            return try store.read(body)
        }

        func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result { try store.write(body) }

        func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
            try store.compact(retention, now: now, limit: limit)
        }
    }

    private let shop: Shop
    private let store: Watched
    private let service: ODataService

    init() throws {
        shop = try Shop(open: true, limits: ServiceLimits(pageRows: 2))
        store = Watched(shop.store)
        service = try ODataService(domain: shop.domain, store: store, signingKey: Array(repeating: 7, count: 32))
    }

    /// The body of an answer, and how the store was read for it.
    private func get(_ path: String, _ fields: HTTPFields = [:]) throws -> (text: String, reads: [String]) {
        store.reads.withLock { $0 = [] }
        let request = HTTPRequest(
            method: .get,
            scheme: nil,
            authority: nil,
            path: path.hasPrefix("/") ? path : "/odata/shop/" + path,
            headerFields: fields
        )
        let response = service.respond(to: request, user: .anonymous)
        return (String(decoding: try response.body.all(), as: UTF8.self), store.reads.withLock { $0 })
    }

    private func link(_ name: String, _ text: String) throws -> String {
        let start = try #require(text.firstRange(of: "\(name)\":\"")?.upperBound)
        return String(text[start...].prefix { $0 != "\"" })
    }

    @Test(arguments: [
        "Clients", "Clients(1)", "Clients(1)/Name", "Clients/$count", "Clients?$filter=ClientId gt 1",
        "Orders?$expand=Client",
        "Clients?$apply=aggregate($count as N)",
    ])
    func `what speaks of no changes may come from a copy`(path: String) throws {
        #expect(try get(path.replacing(" ", with: "%20")).reads == ["copy"])
    }

    @Test func `pages go where the first one went`() throws {
        let first = try get("Clients")
        #expect(first.reads == ["copy"])
        #expect(try get(link("@odata.nextLink", first.text)).reads == ["copy"])
        let tracked = try get("Clients", [.prefer: "odata.track-changes"])
        #expect(tracked.reads == ["itself"])
        let last = try get(link("@odata.nextLink", tracked.text))
        #expect(last.reads == ["itself"])
        #expect(try get(link("@odata.deltaLink", last.text)).reads == ["itself"])
        #expect(try get("Clients?$deltatoken=latest").reads == ["itself"])
    }

    @Test func `conditions are asked of the database itself`() throws {
        #expect(try get("Clients(1)", [.ifNoneMatch: "W/\"x\""]).reads == ["itself"])
        #expect(try get("Clients(1)", [.ifMatch: "*"]).reads == ["itself"])
    }
}
