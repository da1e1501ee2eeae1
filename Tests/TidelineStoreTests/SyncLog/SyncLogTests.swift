// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// What a store keeps of its syncs.
struct SyncLogTests {
    let folder: TestFolder
    let offline = SyncFailure(.offline, code: "unreachable", message: "No connection.", advice: "Wait.")

    init() throws { folder = try TestFolder() }

    private func time(_ milliseconds: Int64) -> DateTimeOffset { DateTimeOffset(milliseconds: milliseconds) }

    private func entry(_ start: Int64, sent: Int = 0, failure: SyncFailure? = nil) -> SyncLogEntry {
        SyncLogEntry(
            startedAt: time(start),
            endedAt: time(start + 5),
            sent: sent,
            bytesSent: 7,
            bytesReceived: 9,
            failure: failure
        )
    }

    @Test func `what a sync did is read back, newest first`() throws {
        let store = try Fixture.store(folder)
        #expect(try store.syncLog() == [])
        let whole = SyncLogEntry(
            startedAt: time(1_800_000_000_123),
            endedAt: time(1_800_000_001_456),
            sent: 1,
            received: 2,
            merged: 3,
            conflicts: 4,
            quarantined: 5,
            removed: 6,
            bytesSent: 7,
            bytesReceived: 8,
            failure: offline
        )
        try store.record(whole)
        try store.record(entry(1_800_000_002_000, sent: 1))
        var first = whole
        first.id = 1
        var second = entry(1_800_000_002_000, sent: 1)
        second.id = 2
        #expect(try store.syncLog() == [second, first])
        #expect(try store.syncLog(limit: 1) == [second])
    }

    @Test func `times before 1970 and fractions survive`() {
        #expect(time(-1).seconds == -1 && time(-1).nanoseconds == 999_000_000)
        #expect([-2_000, -1, 0, 1, 1_999].map { time($0).milliseconds } == [-2_000, -1, 0, 1, 1_999])
    }

    @Test func `syncs in a row that did nothing, or failed alike, are one entry`() throws {
        let store = try Fixture.store(folder)
        for start: Int64 in [10, 20, 30] { try store.record(entry(start, failure: offline)) }
        for start: Int64 in [40, 50] { try store.record(entry(start)) }
        try store.record(entry(60, sent: 2))
        try store.record(entry(70))
        let log = try store.syncLog()
        #expect(log.map(\.times) == [1, 1, 2, 3])
        #expect(log.map(\.startedAt) == [time(70), time(60), time(40), time(10)])
        #expect(log.map(\.endedAt) == [time(75), time(65), time(55), time(35)])
        #expect(log.map(\.bytesSent) == [7, 7, 14, 21])
        #expect(log.map(\.bytesReceived) == [9, 9, 18, 27])
        #expect(log.map(\.failure) == [nil, nil, nil, offline])
    }

    @Test func `the log is bounded, and its oldest entries go`() throws {
        let store = try Fixture.store(folder, settings: StoreSettings(syncLogLength: 3))
        for number in 1...5 { try store.record(entry(Int64(number), sent: number)) }
        #expect(try store.syncLog().map(\.sent) == [5, 4, 3])
    }

    @Test func `the status has the last success, and the failure of the last sync until one succeeds`() throws {
        let store = try Fixture.store(folder)
        #expect(try store.status().lastSuccess == nil)
        try store.record(entry(10))
        try store.record(entry(20, failure: offline))
        var status = try store.status()
        #expect(status.lastSuccess == time(15))
        #expect(status.lastFailure == offline)
        try store.record(entry(30))
        status = try store.status()
        #expect(status.lastSuccess == time(35))
        #expect(status.lastFailure == nil)
    }

    @Test func `log and status survive a restart`() throws {
        let store = try Fixture.store(folder)
        try store.record(entry(10))
        try store.record(entry(20, failure: offline))
        let (log, status) = (try store.syncLog(), try store.status())
        try store.close()
        let again = try LocalStore(path: folder.file("a.tideline"))
        #expect(try again.syncLog() == log && log.count == 2)
        #expect(try again.status() == status)
    }

    @Test func `a file without the table has an empty log, and gets the table with the first entry`() throws {
        let store = try Fixture.store(folder)
        try store.onWriter { _ = try $0.run("DROP TABLE main.tideline_syncs") }
        #expect(try store.syncLog() == [])
        #expect(try store.status().lastFailure == nil)
        try store.record(entry(10, sent: 1))
        #expect(try store.syncLog().count == 1)
    }

    @Test func `a seed tells nothing of the syncs of the store that it is of`() throws {
        let store = try Fixture.store(folder)
        try store.record(entry(10, failure: offline))
        try store.record(entry(20, sent: 1))
        try store.exportSeed(to: folder.file("seed.tideline"))
        let seed = try LocalStore(path: folder.file("seed.tideline"))
        #expect(try seed.syncLog() == [])
        #expect(try seed.status().lastSuccess == nil)
        #expect(try store.syncLog().count == 2)
    }
}
