// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tideline
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// What a device wrote while it was away, sent in one sync: a hundredth of the size as transactions of one row each.
///
/// The time of a transaction must not depend on how many others wait, so that of a hundred is the limit.
enum OutboxDrain {
    private static let few = 100

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let count = max(rows / 100, few)
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: count)
        let transport = ServiceTransport(service: try SourceDatabase.service(path, spoolFolder: folder.path))
        let store = try await LocalStore.clone(
            "http://127.0.0.1/odata/bench/",
            to: folder.appending(path: "device.tideline").path,
            transport: transport,
            userFolder: folder.path
        )
        let engine = try SyncEngine(store: store, transport: transport, userFolder: folder.path)
        var figures: [Figure] = []
        for (what, write) in [("changed", change), ("inserted", insert)] {
            // What a process does once, such as compiling statements, is done by the first of them.
            _ = try await drain(few, of: store, through: engine, write)
            let limit = try await drain(few, of: store, through: engine, write)
            let seconds = try await drain(count, of: store, through: engine, write)
            figures.append(
                Figure(
                    what: "transactions of one \(what) row, client and server in one process",
                    rows: count,
                    seconds: seconds,
                    limitName: "\(few) of them",
                    limitSeconds: limit * Double(count) / Double(few),
                    isRate: true,
                    bound: 0.8,
                    peakMegabytes: Measuring.peakMegabytes
                )
            )
        }
        return figures
    }

    /// Gives a row of those that are there another quantity.
    private static func change(_ row: Int, in store: LocalStore) async throws {
        let id = Int64(row)
        guard var item = try store.fetch(Item.where { $0.id == id }).first else { throw WholeSet.Failed(status: row) }
        item.quantity += 1
        let changed = item
        try await store.write { _ = try $0.update(changed) }
    }

    /// Inserts a row whose key the service gives.
    private static func insert(_ row: Int, in store: LocalStore) async throws {
        let values: [String: Value] = [
            "Code": .string("C\(row)"), "Name": .string("new"), "Quantity": .integer(1), "Weight": .double(1),
            "Place": .string("shelf"),
        ]
        try await store.write { _ = try $0.insert(values, into: "Items") }
    }

    /// The seconds that it takes to send transactions, one for each row.
    private static func drain(
        _ count: Int,
        of store: LocalStore,
        through engine: SyncEngine,
        _ write: (Int, LocalStore) async throws -> Void
    ) async throws -> Double {
        for row in 1...count { try await write(row, store) }
        var sent = 0
        let seconds = try await Measuring.seconds { sent = try await engine.sync().sent }
        guard sent == count, try store.status().pendingTransactions == 0 else { throw WholeSet.Failed(status: sent) }
        return seconds
    }
}
