// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Testing
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage

@testable import TidelineServer

/// The server's upkeep of change logs, on a clock of the test's.
struct LogKeeperTests {
    private let world: ServerWorld
    private let log = LogRecorder()

    init() throws { world = try ServerWorld() }

    private var registry: DomainRegistry {
        DomainRegistry(data: world.data, logger: logger) { [world] domain, _ in
            try world.loaded(domain.name, pool: WorkerPool(threads: 1, capacity: 1))
        }
    }

    private var logger: Logger { Logger(label: "test", factory: { _ in LogRecorder.Handler(recorder: log) }) }

    private func set(_ domain: String, days: Int64?, changes: Int64?) throws {
        let file = world.data.file(domain: domain)
        var value = try Domain(contentsOf: file)
        value.retention = LogRetention(seconds: days.map { $0 * 86_400 }, entries: changes)
        try value.write(to: file)
    }

    /// Changes the first note so many times.
    private func change(_ domain: String, times: Int) throws {
        let path = world.data.folder(domain: domain) + "/data.sqlite"
        let statements = (0..<times).map { "UPDATE Notes SET Body = 'change \($0)' WHERE Id = 1;" }
        try SQLiteScript.run(statements.joined(separator: "\n"), path: path)
    }

    /// How many entries each round removed, by its log.
    private var removed: [String] {
        log.lines.filter { $0.contains("Change log compacted") }.map { line in
            String(line.split(separator: "compacted ").last ?? "")
        }
    }

    @Test func `a round removes what is too old or too much, in many steps, for each domain by its setting`()
        async throws
    {
        try set("shop", days: 10, changes: nil)
        try set("club", days: nil, changes: 100)
        let pool = WorkerPool(threads: 2, capacity: 100)
        let keeper = LogKeeper(registry: registry, pool: pool, logger: logger)
        try change("shop", times: 12_001)
        try change("club", times: 12_001)
        let day: Int64 = 86_400
        try await keeper.round(now: 100 * day)
        #expect(removed == ["domain=club removed=11901"])
        try await keeper.round(now: 109 * day)
        try await keeper.round(now: 110 * day)
        #expect(removed == ["domain=club removed=11901", "domain=shop removed=12000"])
        try await keeper.round(now: 500 * day)
        #expect(removed.count == 2)
        await pool.shutDown()
    }

    @Test func `a domain that cannot be compacted stops no other`() async throws {
        try set("club", days: nil, changes: 1)
        try set("shop", days: nil, changes: 1)
        let pool = WorkerPool(threads: 2, capacity: 100)
        let keeper = LogKeeper(registry: registry, pool: pool, logger: logger)
        try await keeper.round(now: 0)
        let path = world.data.folder(domain: "club") + "/data.sqlite"
        try SQLiteScript.run("DROP TABLE tideline_log", path: path)
        try change("shop", times: 3)
        try await keeper.round(now: 0)
        #expect(removed == ["domain=shop removed=2"])
        #expect(log.lines.contains { $0.contains("The service failed") && $0.contains("domain=club") })
        await pool.shutDown()
    }

    @Test func `a round puts aside the files that no row names, once they are not young`() async throws {
        let file = world.data.file(domain: "shop")
        var domain = try Domain(contentsOf: file)
        var sets = domain.model.sets
        sets[0].type.properties[2].stream = MediaStream(contentTypeProperty: nil, isFile: true)
        domain.model = EntityModel(namespace: "Test", sets: sets)
        try domain.write(to: file)
        let folder = world.data.folder(domain: "shop") + "/files/ab"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // One that a row names, one that none names, and one that none names yet.
        let names = ["0", "1", "2"].map { "ab" + String(repeating: $0, count: 62) }
        for (name, age) in zip(names, [7_200.0, 7_200, 0]) {
            _ = FileManager.default.createFile(
                atPath: "\(folder)/\(name)",
                contents: Data([1]),
                attributes: [.modificationDate: Date(timeIntervalSinceNow: -age)]
            )
        }
        let path = world.data.folder(domain: "shop") + "/data.sqlite"
        try SQLiteScript.run("UPDATE Notes SET Body = '\(names[0])' WHERE Id = 1", path: path)
        let pool = WorkerPool(threads: 2, capacity: 100)
        let keeper = LogKeeper(registry: registry, pool: pool, logger: logger)
        try await keeper.round(now: 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [names[0], names[2]])
        #expect(log.lines.filter { $0.contains("Files swept") } == ["info Files swept domain=shop files=1"])
        try await keeper.round(now: 0)
        #expect(log.lines.filter { $0.contains("Files swept") }.count == 1)
        await pool.shutDown()
    }
}
