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
/// Each device is a store with its engine over HTTP; they share one process and its processors with the server. Once they
/// are the devices of fifty users, whose policies show each the rows of its own: a commit is told to the two of its user.
/// Once every device may see all: each hears of each commit and asks for it, and the one that is measured is somewhere
/// among them; a tenth of the commits, for each takes long.
enum LiveDevices {
    private static let devices = 100
    /// Each device writes ten times: the first time it makes what later times find, and is no rule.
    private static let commits = 1_000
    /// The quantity of a row is its number, and so each of the first rows has a user for its owner.
    private static let policy = Policy(role: "*", sets: nil, operations: [.read, .update], where: "Quantity eq @me")

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        try await figures("devices of 50 users", rows, folder.appending(path: "users"), users: devices / 2)
            + figures("devices that all see all", rows, folder.appending(path: "open"), users: 0)
    }

    /// - Parameter users: who owns the devices, two each; 0 for a domain in which nobody signs in.
    private static func figures(_ what: String, _ rows: Int, _ folder: URL, users: Int) async throws -> [Figure] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "source.sqlite").path
        _ = try SourceDatabase.make(path, rows: 1_000)
        let model = try SQLitePublisher.publish(path: path, namespace: "Bench") { _ in }.model
        let domain = Domain(
            name: "bench",
            database: .init(path: path),
            isOpen: users == 0,
            model: model,
            policies: users == 0 ? [] : [policy]
        )
        let names = (0..<users).map { (name: "user\($0 + 1)", id: Value.integer(Int64($0 + 1))) }
        let times = try await LoopbackServer.running(domain, folder: folder, users: names) { domain, _ in
            try SQLiteStore(path: path, model: domain.model, options: .init(scopes: domain.scopeProperties))
        } _: { address in
            try await commits(address + "odata/bench/", folder: folder, users: names.map(\.name))
        }
        return [
            figure("\(what), median of \(times.count) commits", rows, times[times.count / 2], limit: 5),
            figure("\(what), 99th percentile", rows, times[times.count * 99 / 100], limit: 40),
        ]
    }

    private static func figure(_ what: String, _ rows: Int, _ seconds: Double, limit: Double) -> Figure {
        Figure(
            what: "\(devices) \(what)",
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
    private static func commits(_ service: String, folder: URL, users: [String]) async throws -> [Double] {
        var stores: [LocalStore] = []
        var engines: [SyncEngine] = []
        for number in 0..<devices {
            let file = folder.appending(path: "device-\(number).tideline").path
            let credentials = Credentials(
                user: users.isEmpty ? "" : users[number % users.count],
                password: LoopbackServer.password
            )
            stores.append(try await LocalStore.clone(service, to: file, userFolder: folder.path) { credentials })
            engines.append(try SyncEngine(store: stores[number], userFolder: folder.path))
        }
        var schedule = SyncSchedule()
        schedule.quiet = .zero
        for engine in engines { engine.start(schedule) }
        for engine in engines { _ = try await engine.sync() }
        try await Task.sleep(for: .seconds(3))
        var times: [Double] = []
        for number in 1...(users.isEmpty ? commits / 10 : commits) {
            let writer = stores[number % devices]
            let reader = stores[(number + devices / 2) % devices]
            let name = "live \(number)"
            let list = try LiveList(reader, Item.where { $0.name == name })
            var changes = list.changes.makeAsyncIterator()
            _ = try await changes.next()
            // A row of the writer's user.
            let id = Int64(users.isEmpty ? number : number % users.count + 1)
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
