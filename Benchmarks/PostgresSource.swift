// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelinePostgres
import TidelineService
import TidelineStorage

/// A database of its own on the PostgreSQL server that `TIDELINE_BENCH_POSTGRES` names (as `host=… port=… user=…`);
/// script/bench starts one.
struct PostgresSource: Sendable {
    private let conninfo: String

    /// `nil` where no server is named: what needs one is left out then, and said.
    init?(_ database: String) throws {
        guard let server = ProcessInfo.processInfo.environment["TIDELINE_BENCH_POSTGRES"] else { return nil }
        conninfo = "\(server) dbname=\(database)"
        try Self.psql("\(server) dbname=postgres", "DROP DATABASE IF EXISTS \(database)")
        try Self.psql("\(server) dbname=postgres", "CREATE DATABASE \(database)")
    }

    /// Runs SQL, and drops what it prints.
    func run(_ sql: String) throws { try Self.psql(conninfo, sql) }

    /// Publishes the database.
    ///
    /// - Returns: the model of its tables.
    func publish() throws -> EntityModel {
        try PostgresPublisher.publish(conninfo: conninfo, namespace: "Bench") { _ in }.model
    }

    /// Opens the database for a domain.
    func store(_ domain: Domain) throws -> PostgresStore {
        try PostgresStore(conninfo: conninfo, model: domain.model, options: .init(scopes: domain.scopeProperties))
    }

    /// Publishes the database and answers for it in this process.
    func service(domain name: String, policies: [Policy]?, spoolFolder: String) throws -> ODataService {
        let domain = Domain(
            name: name,
            database: .init(path: ""),
            isOpen: policies == nil,
            model: try publish(),
            policies: policies ?? []
        )
        let key = [UInt8](repeating: 7, count: 32)
        return try ODataService(domain: domain, store: store(domain), signingKey: key, spoolFolder: spoolFolder)
    }

    private static func psql(_ conninfo: String, _ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", conninfo, "-c", sql]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WholeSet.Failed(status: Int(process.terminationStatus)) }
    }
}
