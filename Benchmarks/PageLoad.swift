// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

/// T2: pages of 100 entities over HTTP, beside the smallest answer of the same server; `wrk` asks, on 32 connections.
enum PageLoad {
    private static let seconds = 4

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: rows)
        let model = try SQLitePublisher.publish(path: path, namespace: "Bench") { _ in }.model
        let domain = Domain(name: "bench", database: .init(path: path), isOpen: true, model: model)
        let figure = try await figure("SQLite", domain, "Items", rows: rows, folder: folder) { domain, _ in
            try SQLiteStore(path: path, model: domain.model)
        }
        return try await [figure] + postgres(rows: rows, folder: folder)
    }

    private static func postgres(rows: Int, folder: URL) async throws -> [Figure] {
        guard let source = try PostgresSource("t2") else { return [] }
        try source.run("\(SourceDatabase.table); \(SourceDatabase.postgresRows(rows))")
        try source.run("VACUUM ANALYZE Items")
        let database = Domain.Database(url: "postgres://postgres@127.0.0.1/t2")
        let domain = Domain(name: "bench", database: database, isOpen: true, model: try source.publish())
        let figure = try await figure("PostgreSQL", domain, "items", rows: rows, folder: folder) { domain, _ in
            try source.store(domain)
        }
        return [figure]
    }

    /// Serves a domain, and asks for pages of a set.
    private static func figure(
        _ store: String,
        _ domain: Domain,
        _ set: String,
        rows: Int,
        folder: URL,
        openStore: @escaping @Sendable (Domain, String) throws -> any Store
    ) async throws -> Figure {
        let (pages, smallest) = try await LoopbackServer.running(domain, folder: folder, openStore: openStore) {
            address in
            let page = address + "odata/\(domain.name)/\(set)?$top=100"
            _ = try await Wrk.requests(page, seconds: 1)
            return (
                try await Wrk.requests(page, seconds: seconds),
                try await Wrk.requests(address + "healthz", seconds: seconds)
            )
        }
        return Figure(
            what: "\(store), $top=100 over HTTP",
            rows: pages,
            seconds: Double(seconds),
            limitName: "/healthz",
            limitSeconds: Double(seconds) * Double(pages) / Double(smallest),
            isRate: true,
            bound: 0.35,
            peakMegabytes: Measuring.peakMegabytes
        )
    }
}
