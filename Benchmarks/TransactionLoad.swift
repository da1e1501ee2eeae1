// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

/// T4: transactions of four inserts each as devices send them, on 32 connections; each is on the disk when it is answered.
enum TransactionLoad {
    private static let seconds = 4

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: rows)
        let model = try SQLitePublisher.publish(path: path, namespace: "Bench") { _ in }.model
        let domain = Domain(name: "bench", database: .init(path: path), isOpen: true, model: model)
        let names = ["Items", "Id", "Code", "Name", "Quantity", "Weight", "Note", "Place"]
        let figure = try await figure("SQLite", 3_000, domain, names, rows: rows, folder: folder) { domain, _ in
            try SQLiteStore(path: path, model: domain.model)
        }
        return try await [figure] + postgres(names: names, rows: rows, folder: folder)
    }

    private static func postgres(names: [String], rows: Int, folder: URL) async throws -> [Figure] {
        guard let source = try PostgresSource("t4") else { return [] }
        try source.run("\(SourceDatabase.table); \(SourceDatabase.postgresRows(rows))")
        try source.run("VACUUM ANALYZE Items")
        let database = Domain.Database(url: "postgres://postgres@127.0.0.1/t4")
        let domain = Domain(name: "bench", database: database, isOpen: true, model: try source.publish())
        return [
            try await figure(
                "PostgreSQL",
                1_500,
                domain,
                names.map { $0.lowercased() },
                rows: rows,
                folder: folder
            ) { domain, _ in
                try source.store(domain)
            }
        ]
    }

    private static func figure(
        _ store: String,
        _ target: Double,
        _ domain: Domain,
        _ names: [String],
        rows: Int,
        folder: URL,
        openStore: @escaping @Sendable (Domain, String) throws -> any Store
    ) async throws -> Figure {
        let lua = folder.appending(path: "transactions.lua").path
        try script(names, firstKey: rows + 1).write(toFile: lua, atomically: true, encoding: .utf8)
        let done = try await LoopbackServer.running(domain, folder: folder, openStore: openStore) { address in
            try await Wrk.requests(address + "odata/bench/$batch", seconds: seconds, script: lua)
        }
        return Figure(
            what: "\(store), transactions of 4 rows",
            rows: done,
            seconds: Double(seconds),
            limitName: "target",
            limitSeconds: Double(done) / target,
            isRate: true,
            bound: 1,
            peakMegabytes: Measuring.peakMegabytes
        )
    }

    /// Makes batches of one atomicity group, each with a request identifier and keys of its own.
    ///
    /// Of a thousand devices in turn: the transactions of one come in their order, whatever connection they come on.
    private static func script(_ names: [String], firstKey: Int) -> String {
        """
        local key, number = \(firstKey), 0
        local sent = os.date("!%a, %d %b %Y %H:%M:%S GMT")
        request = function()
          number = number + 1
          local parts = {}
          for place = 0, 3 do
            local repeatability = ""
            if place == 0 then
              repeatability = string.format('"headers":{"Repeatability-Request-ID":"00000000-0000-8000-8000-%012x",' ..
                '"Repeatability-Client-ID":"3f2504e0-4f89-41d3-9a0c-%012x","Repeatability-First-Sent":"%s"},',
                math.floor(number / 1000) + 1, number % 1000, sent)
            end
            parts[place + 1] = string.format('{"id":"%d.%d","atomicityGroup":"t%d","method":"post",' ..
              '"url":"\(names[0])",%s"body":{"\(names[1])":%d,"\(names[2])":"C%d","\(names[3])":"The item %d",' ..
              '"\(names[4])":%d,"\(names[5])":0.5,"\(names[6])":"note","\(names[7])":"shelf"}}',
              number, place, number, repeatability, key, key % 9973, key, key % 1000)
            key = key + 1
          end
          local headers = {["Content-Type"] = "application/json"}
          return wrk.format("POST", nil, headers, '{"requests":[' .. table.concat(parts, ",") .. ']}')
        end
        failed = 0
        local threads = {}
        setup = function(thread) table.insert(threads, thread) end
        response = function(status, headers, body)
          if status ~= 200 or string.find(body, '"status":4', 1, true) or string.find(body, '"status":5', 1, true) then
            failed = failed + 1
            if failed == 1 then io.stderr:write("T4: ", status, " ", body, "\\n") end
          end
        end
        done = function()
          for _, thread in ipairs(threads) do
            if thread:get("failed") > 0 then print("Non-2xx inside of batches") end
          end
        end
        """
    }
}
