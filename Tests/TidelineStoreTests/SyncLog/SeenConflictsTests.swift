// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// Which conflicts are new to a person, and which make room.
struct SeenConflictsTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A store with so many conflicts, each of another row.
    private func store(_ count: Int64, length: Int = 10_000) throws -> LocalStore {
        let store = try Fixture.store(folder, settings: StoreSettings(conflictLogLength: length))
        func row(_ number: Int64, _ title: String) -> [Value] {
            [.string("t\(number)"), .integer(number), .string(title), .integer(0)]
        }
        let numbers = 1...count
        try Fixture.load(store, "Tags", numbers.map { (row($0, "base"), UInt64($0)) })
        for number in numbers {
            try store.write { try $0.update(Key([.string("t\(number)")]), ["Title": .string("mine")], in: "Tags") }
        }
        try Fixture.stage(store, "Tags", numbers.map { (row($0, "theirs"), UInt64(100 + $0)) })
        #expect(try store.conflicts().count == Int(count))
        return store
    }

    private func finishSync(_ store: LocalStore) throws {
        let time = DateTimeOffset(seconds: 1_800_000_000)
        try store.record(SyncLogEntry(startedAt: time, endedAt: time))
    }

    @Test func `a conflict is new until somebody has looked at it`() throws {
        let store = try store(3)
        #expect(try store.status().unseenConflicts == 3)
        let second = try store.conflicts()[1].id
        try store.markConflictsSeen(through: second)
        #expect(try store.status().unseenConflicts == 1)
        #expect(try store.status().conflicts == 3)
        // An older mark takes nothing back.
        try store.markConflictsSeen(through: second - 1)
        #expect(try store.status().unseenConflicts == 1)
        try store.markConflictsSeen()
        #expect(try store.status().unseenConflicts == 0)
    }

    @Test func `a mark beyond the newest does not hide what comes later`() throws {
        let store = try store(2)
        try store.markConflictsSeen(through: 1_000)
        #expect(try store.status().unseenConflicts == 0)
        try store.write { try $0.update(Key([.string("t1")]), ["Title": .string("again")], in: "Tags") }
        try Fixture.stage(store, "Tags", [([.string("t1"), .integer(1), .string("theirs 2"), .integer(0)], 201)])
        #expect(try store.status().unseenConflicts == 1)
    }

    @Test func `what nobody has looked at never makes room`() throws {
        let store = try store(6, length: 2)
        try finishSync(store)
        #expect(try store.conflicts().map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `of what somebody has looked at the oldest make room`() throws {
        let store = try store(6, length: 2)
        try store.markConflictsSeen(through: 3)
        try finishSync(store)
        #expect(try store.conflicts().map(\.id) == [4, 5, 6])
        try store.markConflictsSeen()
        try finishSync(store)
        #expect(try store.conflicts().map(\.id) == [5, 6])
    }
}
