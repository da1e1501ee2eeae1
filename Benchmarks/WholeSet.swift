// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import TidelineModel
import TidelineService

/// T1: all pages of an entity set through the service, beside `sqlite3` and `json_object` on the same rows.
enum WholeSet {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: rows)
        let service = try SourceDatabase.service(path, spoolFolder: folder.path)
        try readAll(service, rows: min(rows, 10_000))  // Warms the caches of both.
        let limit = try sqlite3(path)
        let seconds = try Measuring.seconds { try readAll(service, rows: rows) }
        let figure = figure("SQLite", rows, seconds, "sqlite3 with json_object", limit)
        return try [figure] + postgres(rows: rows, folder: folder)
    }

    private static func postgres(rows: Int, folder: URL) throws -> [Figure] {
        guard let source = try PostgresSource("t1") else { return [] }
        try source.run("\(SourceDatabase.table); \(SourceDatabase.postgresRows(rows))")
        try source.run("VACUUM ANALYZE Items")
        let service = try source.service(domain: "bench", policies: nil, spoolFolder: folder.path)
        try readAll(service, "items", rows: min(rows, 10_000))
        let columns = columns.map { "'\($0)',\($0)" }.joined(separator: ",")
        let limit = try Measuring.seconds {
            try source.run("SELECT json_build_object(\(columns)) FROM Items ORDER BY Id")
        }
        let seconds = try Measuring.seconds { try readAll(service, "items", rows: rows) }
        return [figure("PostgreSQL", rows, seconds, "psql with json_build_object", limit)]
    }

    private static func figure(_ store: String, _ rows: Int, _ seconds: Double, _ peer: String, _ limit: Double)
        -> Figure
    {
        Figure(
            what: "\(store), OData JSON, pages of 5000",
            rows: rows,
            seconds: seconds,
            limitName: peer,
            limitSeconds: limit,
            isRate: true,
            bound: 0.6,
            peakMegabytes: Measuring.peakMegabytes
        )
    }

    private static let columns = ["Id", "Code", "Name", "Quantity", "Weight", "Note", "Place"]

    struct Failed: Error {
        let status: Int
    }

    /// Reads pages up to a number of rows.
    private static func readAll(_ service: ODataService, _ set: String = "Items", rows: Int) throws {
        var path = "/odata/bench/\(set)"
        var left = rows
        while left > 0 {
            var request = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: path)
            for (name, value) in [("Prefer", "maxpagesize=5000"), ("OData-MaxVersion", "4.01")] {
                if let name = HTTPField.Name(name) { request.headerFields[name] = value }
            }
            let response = service.respond(to: request, user: .anonymous)
            guard response.head.status == .ok else { throw Failed(status: response.head.status.code) }
            let body = try response.body.all()
            left -= 5000
            guard left > 0 else { return }
            path = try nextLink(body)
        }
    }

    /// The path in `"@nextLink":"…"`, which stands at the end of a page.
    private static func nextLink(_ body: [UInt8]) throws -> String {
        let end = String(decoding: body.suffix(2000), as: UTF8.self)
        let start = String(decoding: body.prefix(2000), as: UTF8.self)
        for text in [end, start] {
            guard let mark = text.range(of: "nextLink\":\"") else { continue }
            let link = text[mark.upperBound...].prefix { $0 != "\"" }.replacing("\\/", with: "/")
            guard let path = link.range(of: "/odata/bench/") else { return "/odata/bench/" + link }
            return String(link[path.lowerBound...])
        }
        throw Failed(status: 0)
    }

    /// The seconds that the command-line shell of SQLite needs to print the same rows as JSON.
    private static func sqlite3(_ path: String) throws -> Double {
        let columns = columns.map { "'\($0)',\($0)" }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "sqlite3", path, "SELECT json_object(\(columns.joined(separator: ","))) FROM Items ORDER BY Id",
        ]
        process.standardOutput = FileHandle.nullDevice
        return try Measuring.seconds {
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failed(status: Int(process.terminationStatus)) }
        }
    }
}
