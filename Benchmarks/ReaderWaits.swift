// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization
import Tideline
import TidelineStore
import TidelineSync

/// T10: how long a reader of fifty rows by their keys waits, while a sync brings every row anew.
///
/// Twice: as a load that takes the place of what is there, and as the changes of one delta. Client, service and reader
/// share one process and its processors; the same reader on a store at rest is measured beside them.
enum ReaderWaits {
    private static let rowsOfRead = 50

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: rows)
        let transport = ServiceTransport(service: try SourceDatabase.service(path, spoolFolder: folder.path))
        let source = try DatabaseQueue(path: path)
        let store = try await LocalStore.clone(
            "http://127.0.0.1/odata/bench/",
            to: folder.appending(path: "copy.tideline").path,
            transport: transport,
            userFolder: folder.path
        )
        let engine = try SyncEngine(store: store, transport: transport, userFolder: folder.path)
        let idle = try await waits(store, rows) { try await Task.sleep(for: .seconds(3)) }
        // A log with a gap is begun anew, and the device loads the set again.
        try await source.write { connection in
            try connection.execute(sql: "UPDATE Items SET Quantity = Quantity + 1")
            let names = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Items'"
            for name in try String.fetchAll(connection, sql: names) {
                try connection.execute(sql: "DROP TRIGGER \"\(name)\"")
            }
        }
        let load = try await waits(store, rows) { try await sync(engine, rows) }
        try await source.write { try $0.execute(sql: "UPDATE Items SET Quantity = Quantity + 1") }
        let delta = try await waits(store, rows) { try await sync(engine, rows) }
        return [("at rest", idle), ("during a load", load), ("during a delta", delta)].flatMap { what, waits in
            [
                figure("longest wait \(what)", rows, waits.last),
                figure("99.9th percentile \(what)", rows, waits[waits.count * 999 / 1000]),
            ]
        }
    }

    private static func figure(_ what: String, _ rows: Int, _ seconds: Double?) -> Figure {
        Figure(
            what: what,
            rows: rows,
            seconds: (seconds ?? .infinity) * 1000,
            limitName: "limit",
            limitSeconds: 20,
            unit: "ms",
            isRate: false,
            bound: 1
        )
    }

    /// Syncs, and makes sure that it brought every row.
    private static func sync(_ engine: SyncEngine, _ rows: Int) async throws {
        let report = try await engine.sync()
        guard report.received == rows else { throw WholeSet.Failed(status: report.received) }
    }

    /// The seconds that each read took while something else was done, the shortest first.
    private static func waits(
        _ store: LocalStore,
        _ rows: Int,
        during work: () async throws -> Void
    ) async throws -> [Double] {
        let isOver = Flag()
        async let times = onThread { try reads(store, rows, until: isOver) }
        let done: Result<Void, any Error>
        do { done = .success(try await work()) } catch { done = .failure(error) }
        isOver.value.store(true, ordering: .releasing)
        let all = try await times
        try done.get()
        return all.sorted()
    }

    private static func reads(_ store: LocalStore, _ rows: Int, until isOver: Flag) throws -> [Double] {
        var times: [Double] = []
        var random = SystemRandomNumberGenerator()
        while !isOver.value.load(ordering: .acquiring) {
            var keys: Set<Int64> = []
            while keys.count < rowsOfRead { keys.insert(Int64.random(in: 1...Int64(rows), using: &random)) }
            let wanted = Array(keys)
            var found = 0
            times.append(
                try Measuring.seconds { found = try store.fetch(Item.where { wanted.contains($0.id) }).count }
            )
            guard found == rowsOfRead else { throw WholeSet.Failed(status: found) }
        }
        return times
    }

    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }

    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }
}
