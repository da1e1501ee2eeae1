// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import TidelineAccounts
import TidelineModel
import TidelineSQLite
import TidelineServer
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
        let data = DataDirectory(path: folder.appending(path: "data-\(store)").path)
        try data.create()
        try DataDirectory.makeFolder(data.folder(domain: domain.name))
        try domain.write(to: data.file(domain: domain.name))
        try SQLiteSchema.create(ControlModel.model, path: data.control)
        let accounts = Accounts(
            store: try SQLiteStore(path: data.control, model: ControlModel.model, options: .untracked)
        )
        var logger = Logger(label: "bench")
        logger.logLevel = .critical
        let settings = ServerSettings(port: 0, cores: ProcessInfo.processInfo.activeProcessorCount)
        let server = try Server(
            settings: settings,
            data: data,
            accounts: accounts,
            logger: logger,
            openStore: openStore
        )
        let (addresses, listening) = AsyncStream.makeStream(of: String.self)
        let running = Task { try await server.run { listening.yield($0) } }
        defer { running.cancel() }
        guard let address = await addresses.first(where: { _ in true }) else { throw WholeSet.Failed(status: 0) }
        let page = address + "odata/\(domain.name)/\(set)?$top=100"
        _ = try await requests(page, seconds: 1)
        let pages = try await requests(page, seconds: seconds)
        let smallest = try await requests(address + "healthz", seconds: seconds)
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

    /// How many requests were answered.
    private static func requests(_ address: String, seconds: Int) async throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["wrk", "-t1", "-c32", "-d\(seconds)s", address]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try output.fileHandleForReading.readToEnd() ?? Data() })
            }
        }
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0, !text.contains("Non-2xx"),
            let count = text.firstMatch(of: /(\d+) requests in/).flatMap({ Int($0.1) })
        else { throw WholeSet.Failed(status: Int(process.terminationStatus)) }
        return count
    }
}
