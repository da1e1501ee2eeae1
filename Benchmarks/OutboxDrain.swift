// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tideline
import TidelineClient
import TidelineSync

/// What a device wrote while it was away, sent in one sync: as many transactions as a tenth of the size, a row each.
///
/// The time of a transaction must not depend on how many others wait.
enum OutboxDrain {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let count = max(rows / 10, 100)
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: count)
        let transport = ServiceTransport(service: try SourceDatabase.service(path, spoolFolder: folder.path))
        let store = try await LocalStore.clone(
            "http://127.0.0.1/odata/bench/",
            to: folder.appending(path: "device.tideline").path,
            transport: transport,
            userFolder: folder.path
        )
        let items = try store.fetch(Item.all)
        let writing = try await Measuring.seconds {
            for var item in items {
                item.name = "changed \(item.id)"
                let changed = item
                try await store.write { _ = try $0.update(changed) }
            }
        }
        let engine = try SyncEngine(store: store, transport: transport, userFolder: folder.path)
        var sent = 0
        let sending = try await Measuring.seconds { sent = try await engine.sync().sent }
        guard sent == count, try store.status().pendingTransactions == 0 else { throw WholeSet.Failed(status: sent) }
        return [
            Figure(
                what: "transactions of one row, client and server in one process",
                rows: count,
                seconds: sending,
                limitName: "their local writes",
                limitSeconds: writing,
                isRate: false,
                bound: 5,
                peakMegabytes: Measuring.peakMegabytes
            )
        ]
    }
}
