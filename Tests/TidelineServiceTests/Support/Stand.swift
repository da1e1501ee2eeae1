// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import TidelineMemory
import TidelineModel
import TidelineOData
import TidelinePostgres
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// A service over tables of the test's own, on any of the three stores: what it answers may not tell which.
final class Stand {
    enum Kind: String, Sendable, CaseIterable {
        case sqlite, memory, postgres
    }

    let kind: Kind
    let domain: Domain
    let store: any Store
    let service: ODataService
    /// The file or the connection of the database; `nil` in memory.
    private let place: String?

    /// - Parameters:
    ///   - tables: SQL that SQLite and PostgreSQL both take; in memory the tables are empty.
    ///   - shaping: what the model has beyond the tables.
    init(
        _ kind: Kind,
        tables: String,
        policies: [Policy]? = nil,
        limits: ServiceLimits = ServiceLimits(),
        deferral: Deferral? = nil,
        shaping: (inout [EntitySet]) -> Void = { _ in }
    ) throws {
        if kind == .postgres { try PostgresCluster.require() }
        self.kind = kind
        let path = "\(ProcessFolder.path)/stand-\(UInt64.random(in: 0 ... .max)).sqlite"
        var found: EntityModel
        let conninfo = kind == .postgres ? try PostgresCluster.shared().makeDatabase(tables) : nil
        if let conninfo {
            found = try PostgresPublisher.publish(conninfo: conninfo, namespace: "Stand") { _ in }.model
        } else {
            let database = try DatabaseQueue(path: path)
            try database.write { try $0.execute(sql: tables) }
            try database.close()
            found = try SQLitePublisher.publish(path: path, namespace: "Stand") { _ in }.model
        }
        var sets = found.sets
        shaping(&sets)
        found = EntityModel(namespace: "Stand", sets: sets)
        domain = Domain(
            name: "stand",
            database: Domain.Database(path: path),
            isOpen: policies == nil,
            model: found,
            policies: policies ?? [],
            limits: limits
        )
        switch kind {
        case .sqlite:
            store = try SQLiteStore(
                path: path,
                model: found,
                options: SQLiteStore.Options(scopes: domain.scopeProperties)
            )
            place = path
        case .memory:
            store = MemoryStore(model: found)
            place = nil
        case .postgres:
            store = try PostgresStore(
                conninfo: conninfo ?? "",
                model: found,
                options: PostgresStoreOptions(maximumConnections: 2)
            )
            place = conninfo
        }
        service = try ODataService(
            domain: domain,
            store: store,
            signingKey: Array(repeating: 7, count: 32),
            deferral: deferral,
            report: { id, error in print("error \(id): \(error)") }
        )
    }

    deinit { (store as? PostgresStore)?.close() }

    /// Runs SQL as another program would.
    func sql(_ text: String) throws {
        switch kind {
        case .memory: preconditionFailure("There is no SQL in memory.")
        case .sqlite:
            let database = try DatabaseQueue(path: place ?? "")
            try database.write { try $0.execute(sql: text) }
            try database.close()
        case .postgres:
            let cluster = try PostgresCluster.shared()
            _ = try cluster.run(text, database: cluster.name(of: place ?? ""))
        }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        _ headers: [String: String] = [:],
        as user: UserContext = Shop.alice
    ) -> Shop.Reply {
        var fields = HTTPFields()
        fields[.odataMaxVersion] = "4.01"
        if !body.isEmpty { fields[.contentType] = "application/json" }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let request = HTTPRequest(
            method: method,
            scheme: nil,
            authority: nil,
            path: path.hasPrefix("/") ? path : "/odata/stand/" + path,
            headerFields: fields
        )
        let response = service.respond(to: request, body: Array(body.utf8), user: user)
        return Shop.Reply(
            status: response.head.status.code,
            text: String(decoding: (try? response.body.all()) ?? [], as: UTF8.self),
            fields: response.head.headerFields
        )
    }

    func get(_ path: String, _ headers: [String: String] = [:], as user: UserContext = Shop.alice) -> Shop.Reply {
        send(.get, path, "", headers, as: user)
    }
}
