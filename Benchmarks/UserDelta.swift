// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HTTPTypes
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

/// T6: what a delta costs one of many users, by the rows of the set, by that user's changes and by those of others.
enum UserDelta {
    private static let users = 100
    private static let repetitions = 200
    private static let table =
        "CREATE TABLE Notes (Id INTEGER PRIMARY KEY NOT NULL, Owner INT NOT NULL, Text VARCHAR(2000) NOT NULL)"

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "notes.sqlite").path
        try makeSource(path, rows: rows)
        let service = try service(path, spoolFolder: folder.path)
        let writer = try DatabaseQueue(path: path)
        let figures = try figures("SQLite", service, "Notes", rows) { sql in
            try writer.write { try $0.execute(sql: sql) }
        }
        return try figures + postgres(rows: rows, folder: folder)
    }

    private static func postgres(rows: Int, folder: URL) throws -> [Figure] {
        guard let source = try PostgresSource("t6") else { return [] }
        try source.run(
            "\(table); INSERT INTO Notes SELECT n, n % \(users) + 1, 'The note ' || n FROM generate_series(1, \(rows)) n"
        )
        try source.run("CREATE INDEX NotesByOwner ON Notes (Owner); ANALYZE Notes")
        let service = try source.service(
            domain: "notes",
            policies: [Policy(role: "*", sets: nil, operations: [.read], where: "owner eq @me")],
            spoolFolder: folder.path
        )
        return try figures("PostgreSQL", service, "notes", rows, run: source.run)
    }

    private static func figures(
        _ store: String,
        _ service: ODataService,
        _ set: String,
        _ rows: Int,
        run: (String) throws -> Void
    ) throws -> [Figure] {
        func change(_ count: Int, ofOthers: Bool) throws {
            try run(
                """
                UPDATE Notes SET Text = Text || '.' WHERE Id IN
                (SELECT Id FROM Notes WHERE Owner \(ofOthers ? "<>" : "=") 1 ORDER BY Id LIMIT \(count))
                """
            )
        }
        _ = try delta(service, try latest(service, set))
        let empty = try delta(service, try latest(service, set))
        let emptyTime = try time(service, try latest(service, set))

        let beforeFew = try latest(service, set)
        try change(10, ofOthers: false)
        let few = try time(service, beforeFew, expecting: 10)
        try change(5000, ofOthers: true)
        let fewAmongOthers = try time(service, beforeFew, expecting: 10)
        let beforeMany = try latest(service, set)
        try change(100, ofOthers: false)
        let many = try time(service, beforeMany, expecting: 100)
        return [
            figure("\(store), an empty delta, processor time", rows, emptyTime * 1e6, "target", 300, "µs"),
            figure("\(store), an empty delta, size", rows, Double(empty.count), "target", 400, "bytes"),
            figure("\(store), 10 changes", rows, few * 1e6, "10 empty ones", emptyTime * 1e7, "µs"),
            figure(
                "\(store), the same among 5000 of others",
                rows,
                fewAmongOthers * 1e6,
                "1.5 times alone",
                few * 1.5e6,
                "µs"
            ),
            figure("\(store), 100 changes", rows, many * 1e6, "11 times 10 changes", few * 1.1e7, "µs"),
        ]
    }

    private static func figure(
        _ what: String,
        _ rows: Int,
        _ ours: Double,
        _ limitName: String,
        _ limit: Double,
        _ unit: String
    ) -> Figure {
        Figure(
            what: what,
            rows: rows,
            seconds: ours,
            limitName: limitName,
            limitSeconds: limit,
            unit: unit,
            isRate: false,
            bound: 1
        )
    }

    /// The seconds of processor time that one answer takes.
    private static func time(_ service: ODataService, _ link: String, expecting changes: Int = 0) throws -> Double {
        let body = try delta(service, link)
        let found = String(decoding: body, as: UTF8.self).lowercased().components(separatedBy: "\"text\":").count - 1
        guard found == changes else { throw WholeSet.Failed(status: found) }
        return try Measuring.processorSeconds {
            for _ in 0..<repetitions { _ = try delta(service, link) }
        } / Double(repetitions)
    }

    /// A delta link that starts now.
    private static func latest(_ service: ODataService, _ set: String) throws -> String {
        let body = try delta(service, "/odata/notes/\(set)?$deltatoken=latest")
        let text = String(decoding: body, as: UTF8.self)
        guard let mark = text.range(of: "deltaLink\":\"") else { throw WholeSet.Failed(status: 0) }
        let link = text[mark.upperBound...].prefix { $0 != "\"" }.replacing("\\/", with: "/")
        guard let path = link.range(of: "/odata/notes/") else { return "/odata/notes/" + link }
        return String(link[path.lowerBound...])
    }

    private static func delta(_ service: ODataService, _ path: String) throws -> [UInt8] {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path)
        if let name = HTTPField.Name("OData-MaxVersion") { request.headerFields[name] = "4.01" }
        let response = service.respond(to: request, user: UserContext(id: .integer(1)), userName: "first")
        guard response.head.status == .ok else { throw WholeSet.Failed(status: response.head.status.code) }
        return try response.body.all()
    }

    private static func makeSource(_ path: String, rows: Int) throws {
        let pool = try DatabasePool(path: path)
        try pool.write { connection in
            try connection.execute(sql: table)
            let statement = try connection.makeStatement(sql: "INSERT INTO Notes VALUES (?, ?, ?)")
            for row in 1...rows { try statement.execute(arguments: [row, row % users + 1, "The note \(row)"]) }
            try connection.execute(sql: "CREATE INDEX NotesByOwner ON Notes (Owner)")
        }
    }

    private static func service(_ path: String, spoolFolder: String) throws -> ODataService {
        let policies = [
            Policy(role: "*", sets: nil, operations: [.read], where: "Owner eq @me")
        ]
        let found = try SQLitePublisher.publish(path: path, namespace: "Bench") { _ in }
        let domain = Domain(name: "notes", database: .init(path: path), model: found.model, policies: policies)
        let store = try SQLiteStore(path: path, model: found.model, options: .init(scopes: domain.scopeProperties))
        let key = [UInt8](repeating: 7, count: 32)
        return try ODataService(domain: domain, store: store, signingKey: key, spoolFolder: spoolFolder)
    }
}
