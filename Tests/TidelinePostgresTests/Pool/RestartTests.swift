// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// A store whose server is stopped and started again: nothing is lost, nothing happens twice.
@Suite(.serialized, .enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct RestartTests {
    private static let connections = 3

    /// A published database on a server of its own.
    private struct Shop {
        let cluster: PostgresCluster
        let store: PostgresStore
        let set: EntitySet

        init() throws {
            cluster = try PostgresCluster()
            let conninfo = try cluster.makeDatabase("CREATE TABLE t(id int PRIMARY KEY, n int NOT NULL)")
            let model = try PostgresPublisher.publish(conninfo: conninfo, namespace: "Test") { _ in }.model
            store = try PostgresStore(
                conninfo: conninfo,
                model: model,
                options: PostgresStoreOptions(maximumConnections: RestartTests.connections)
            )
            set = try #require(model[set: "t"])
        }

        func insert(_ id: Int64, _ writer: any StoreWriter) throws {
            _ = try writer.insert([0: .integer(id), 1: .integer(0)], into: set)
        }

        func count() throws -> Int { try store.read { try $0.count(ReadPlan(model: store.model, set: set)) } }

        /// Uses all connections of the pool at the same time.
        func countOnAll(_ depth: Int = 1) throws -> Int {
            try store.read { reader in
                if depth < RestartTests.connections { _ = try countOnAll(depth + 1) }
                return try reader.count(ReadPlan(model: store.model, set: set))
            }
        }

        /// The changed keys since a position, and the position of the same moment.
        func step(since: FeedPosition) throws -> (keys: [Int64], next: FeedPosition) {
            try store.read { reader in
                var keys: [Int64] = []
                try reader.changes(ChangeQuery(set: set, since: since)) { change in
                    if case .integer(let id)? = change.key?.values.first { keys.append(id) }
                }
                return (keys, try reader.position())
            }
        }
    }

    @Test(arguments: PostgresCluster.Ending.allCases)
    func `a store says that its server is gone, and goes on when it is back`(ending: PostgresCluster.Ending) throws {
        let shop = try Shop()
        defer { shop.store.close() }
        #expect(try shop.countOnAll() == 0)
        let start = try shop.store.read { try $0.position() }
        try shop.store.write { try shop.insert(1, $0) }
        let known = try shop.step(since: start)
        #expect(known.keys == [1])

        var runs = 0
        let broken = try #require(throws: StorageError.self) {
            try shop.store.write { writer in
                runs += 1
                try shop.insert(2, writer)
                try shop.cluster.stop(ending)
            }
        }
        #expect((runs, broken.code) == (1, .unavailable))
        // Oftener than the pool has connections: none is lost for ever.
        for _ in 0..<Self.connections * 2 {
            let read = try #require(throws: StorageError.self) { try shop.count() }
            #expect(read.code == .unavailable)
            #expect(read.message.hasPrefix("The database cannot be opened: "))
            let write = try #require(throws: StorageError.self) { try shop.store.write { try shop.insert(3, $0) } }
            #expect(write.code == .unavailable)
        }

        try shop.cluster.start()
        #expect(try shop.countOnAll() == 1)
        // A position of before the restart is served, and what was not committed was never told.
        #expect(try shop.step(since: start).keys == [1])
        #expect(try shop.step(since: known.next).keys == [])
        try shop.store.write { try shop.insert(2, $0) }
        #expect(try shop.step(since: known.next).keys == [2])
        #expect(try shop.step(since: start).keys == [1, 2])
    }

    @Test(arguments: PostgresCluster.Ending.allCases)
    func `writers that go on after a restart write everything once`(ending: PostgresCluster.Ending) throws {
        let shop = try Shop()
        defer { shop.store.close() }
        let (writers, rounds) = (4, 60)
        try shop.store.write { for id in 1...writers { try shop.insert(Int64(id), $0) } }
        let start = try shop.store.read { try $0.position() }
        let written = DispatchSemaphore(value: 0)
        let isBack = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let failures = Mutex<[String]>([])
        for writer in 1...writers {
            done.enter()
            Thread {
                defer { done.leave() }
                var round = 1
                while round <= rounds {
                    do {
                        try Self.write(Int64(round), writer, shop)
                        round += 1
                        written.signal()
                    } catch let error as StorageError where error.code == .unavailable {
                        isBack.wait()
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                        return
                    }
                }
            }.start()
        }
        for _ in 0..<writers * 10 { written.wait() }
        let middle = try shop.step(since: start)
        try shop.cluster.stop(ending)
        try shop.cluster.start()
        for _ in 0..<writers * rounds { isBack.signal() }
        done.wait()
        #expect(failures.withLock { $0 } == [])
        let rest = try shop.step(since: middle.next)
        // What one round adds is told once, before the restart or after it.
        let expected = (1...writers).flatMap { writer in (1...rounds).map { Int64(writer * 1000 + $0) } }
        #expect((middle.keys + rest.keys).filter { $0 > 1000 }.sorted() == expected)
        #expect(try shop.count() == writers * (rounds + 1))
        for writer in 1...writers {
            let counter = try shop.store.read { try $0.entity(Key([.integer(Int64(writer))]), in: shop.set) }
            #expect(counter?.values[1] == .integer(Int64(rounds)))
        }
    }

    /// One round of a writer: a new row, and its counter up by one, with the mark that tells that it was done.
    private static func write(_ round: Int64, _ number: Int, _ shop: Shop) throws {
        let client = "writer \(number)"
        try shop.store.write { writer in
            // Whoever is told that the connection was lost does not know whether its transaction was committed.
            guard try writer.mark(client: client)?.transaction != round else { return }
            let key = Key([.integer(Int64(number))])
            guard case .integer(let count)? = try writer.entity(key, in: shop.set)?.values[1] else { return }
            _ = try writer.update(key, [1: .integer(count + 1)], in: shop.set)
            try shop.insert(Int64(number) * 1000 + round, writer)
            try writer.setMark(ClientMark(user: nil, transaction: round), client: client)
        }
    }
}
