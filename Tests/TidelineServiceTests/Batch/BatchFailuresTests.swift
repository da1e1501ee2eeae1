// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

@testable import TidelineService

/// What the log is told of requests that fail in a batch, which is answered 200.
struct BatchFailuresTests {
    private final class Log: Sendable {
        let told = Mutex<[BatchFailures]>([])
    }

    private func told(_ requests: [String], _ headers: [String: String] = [:]) throws -> [BatchFailures] {
        let log = Log()
        let shop = try Shop(open: true, tell: { failures in log.told.withLock { $0.append(failures) } })
        let reply = shop.send(.post, "$batch", #"{"requests":[\#(requests.joined(separator: ","))]}"#, headers)
        #expect(reply.status == 200, "\(reply.text)")
        return log.told.withLock { $0 }
    }

    private static let absent = BatchFailures.Part(
        id: "1",
        method: .get,
        path: "Orders(99)",
        status: .notFound,
        code: "NotFound"
    )

    @Test func `each request that failed is told, and neither its query nor what depended on it`() throws {
        let told = try told([
            #"{"id":"1","method":"GET","url":"Orders(99)?x=secret"}"#,
            #"{"id":"2","method":"POST","url":"Orders","headers":{"Content-Type":"application/json"},"body":{"OrderId":10}}"#,
            #"{"id":"3","method":"GET","url":"Orders(10)"}"#,
            #"{"id":"4","method":"GET","url":"Orders(10)","dependsOn":["1"]}"#,
        ])
        let taken = BatchFailures.Part(id: "2", method: .post, path: "Orders", status: .conflict, code: "DuplicateKey")
        #expect(told == [BatchFailures(parts: [Self.absent, taken], count: 2)])
    }

    @Test func `reads of one snapshot tell it too`() throws {
        let told = try told([#"{"id":"1","method":"GET","url":"Orders(99)"}"#], ["Isolation": "snapshot"])
        #expect(told == [BatchFailures(parts: [Self.absent], count: 1)])
    }

    @Test func `what failed in a snapshot is told where the batch itself fails after it, too`() throws {
        let log = Log()
        let shop = try Shop(open: true, tell: { failures in log.told.withLock { $0.append(failures) } })
        // The last decided transaction of the client is looked for after the requests.
        try shop.sql("DROP TABLE tideline_clients")
        let requests = #"{"requests":[{"id":"1","method":"GET","url":"Orders(99)"}]}"#
        let fields = ["Isolation": "snapshot", "Repeatability-Client-ID": "device-1"]
        #expect(shop.send(.post, "$batch", requests, fields).status == 503)
        #expect(log.told.withLock { $0 } == [BatchFailures(parts: [Self.absent], count: 1)])
    }

    /// Tells whether a checkpoint of the whole log is kept waiting, as by a read transaction.
    private final class Checkpoint: Sendable {
        let database = Mutex<DatabaseQueue?>(nil)
        let found = Mutex<[Int?]>([])

        func run() {
            let queue = database.withLock { $0 }
            let isBusy = try? queue?.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            found.withLock { $0.append(isBusy) }
        }
    }

    @Test func `what failed in a snapshot is told when nothing holds the snapshot any more`() throws {
        let checkpoint = Checkpoint()
        let shop = try Shop(open: true, tell: { _ in checkpoint.run() })
        checkpoint.database.withLock { $0 = shop.database }
        try shop.sql("UPDATE Orders SET Title = 'one' WHERE OrderId = 10")
        try shop.store.read { reader in
            _ = try reader.position()
            checkpoint.run()
        }
        try shop.sql("UPDATE Orders SET Title = 'two' WHERE OrderId = 10")
        let requests = #"{"requests":[{"id":"1","method":"GET","url":"Orders(99)"}]}"#
        #expect(shop.send(.post, "$batch", requests, ["Isolation": "snapshot"]).status == 200)
        #expect(checkpoint.found.withLock { $0 } == [1, 0])
    }

    @Test func `no more than ten are told, and how many there are`() throws {
        let told = try told((1...12).map { #"{"id":"\#($0)","method":"GET","url":"Orders(99)"}"# })
        #expect(told.map(\.count) == [12])
        #expect(told.first?.parts.map(\.id) == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"])
    }

    @Test func `a batch in which nothing fails tells nothing`() throws {
        #expect(try told([#"{"id":"1","method":"GET","url":"Orders(10)"}"#]) == [])
    }
}
