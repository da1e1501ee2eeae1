// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tideline
import TidelineClient
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineSync

/// T11: from the commit on one device to its row in the store of another, with a hundred devices live on one server.
///
/// Each device is a store with its engine over HTTP. They share one process and its processors with the server, and
/// every one of them hears of each change and asks for it.
enum LiveDevices {
    private static let devices = 100

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: 1_000)
        let model = try SQLitePublisher.publish(path: path, namespace: "Bench") { _ in }.model
        let domain = Domain(name: "bench", database: .init(path: path), isOpen: true, model: model)
        let times = try await LoopbackServer.running(domain, folder: folder) { domain, _ in
            try SQLiteStore(path: path, model: domain.model)
        } _: { address in
            try await commits(address + "odata/bench/", folder: folder)
        }
        return [
            figure("median of \(times.count) commits", rows, times[times.count / 2], limit: 5),
            figure("99th percentile", rows, times[times.count * 99 / 100], limit: 40),
        ]
    }

    private static func figure(_ what: String, _ rows: Int, _ seconds: Double, limit: Double) -> Figure {
        Figure(
            what: "\(what), \(devices) devices live",
            rows: rows,
            seconds: seconds * 1000,
            limitName: "limit",
            limitSeconds: limit,
            unit: "ms",
            isRate: false,
            bound: 1
        )
    }

    /// The seconds from each commit until another device has its row, the shortest first.
    private static func commits(_ service: String, folder: URL) async throws -> [Double] {
        var stores: [LocalStore] = []
        var engines: [SyncEngine] = []
        for number in 0..<devices {
            let file = folder.appending(path: "device-\(number).tideline").path
            stores.append(try await LocalStore.clone(service, to: file, userFolder: folder.path))
            engines.append(try SyncEngine(store: stores[number], userFolder: folder.path))
        }
        var schedule = SyncSchedule()
        schedule.quiet = .zero
        for engine in engines { engine.start(schedule) }
        for engine in engines { _ = try await engine.sync() }
        try await Task.sleep(for: .seconds(3))
        var times: [Double] = []
        for number in 1...100 {
            let writer = stores[number % devices]
            let reader = stores[(number + devices / 2) % devices]
            let name = "live \(number)"
            let list = try LiveList(reader, Item.where { $0.name == name })
            var changes = list.changes.makeAsyncIterator()
            _ = try await changes.next()
            let id = Int64(number)
            guard var item = try writer.fetch(Item.where { $0.id == id }).first else {
                throw WholeSet.Failed(status: 0)
            }
            item.name = name
            let changed = item
            times.append(
                try await Measuring.seconds {
                    try await writer.write { _ = try $0.update(changed) }
                    while list.count == 0 { _ = try await changes.next() }
                }
            )
        }
        for engine in engines { await engine.stop() }
        for store in stores { try store.close() }
        return times.sorted()
    }
}
