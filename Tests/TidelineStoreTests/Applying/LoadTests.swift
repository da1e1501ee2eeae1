// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineStore

/// Loads and staged changes, as their hidden tables become the rows of a set.
struct LoadTests {
    let folder: TestFolder
    let store: LocalStore
    let a = Key([.string("a")])

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    private func tags(_ numbers: Range<Int64>, title: String) -> [(values: [Value], etag: UInt64)] {
        numbers.map { ([.string("tag \($0)"), .integer($0), .string(title), .null], UInt64($0)) }
    }

    /// The names of the tables and indexes of a set, and of what is hidden of it.
    private func names(like pattern: String) throws -> [String] {
        try store.reading { connection in
            try connection.query("SELECT name FROM sqlite_schema WHERE name LIKE '%\(pattern)%' ORDER BY name") {
                $0.string(0) ?? ""
            }
        }
    }

    @Test(arguments: [999, 1000, 1001, 1500] as [Int64])
    func `few rows and many become those of the set, which keeps its indexes`(count: Int64) throws {
        try Fixture.load(store, "Tags", tags(0..<3, title: "old"))
        let before = try names(like: "Tags")
        try store.write { try $0.update(Key([.string("tag 1")]), ["Hits": .integer(7)], in: "Tags") }
        try Fixture.load(store, "Tags", tags(1..<count + 1, title: "new").map { ($0.values, $0.etag + 5000) })
        let rows = try Fixture.rows(store, "Tags")
        #expect(rows.count == Int(count))
        #expect(rows.allSatisfy { $0["Title"] == .string("new") })
        #expect(rows.first { $0["Code"] == .string("tag 1") }?["Hits"] == .integer(7))
        #expect(try names(like: "Tags") == before)
        #expect(try names(like: "tideline_load").isEmpty)
        let plan = try store.reading { connection in
            try connection.query("EXPLAIN QUERY PLAN SELECT * FROM Tags WHERE Rank = 1") { $0.string(3) ?? "" }
        }
        #expect(plan.count == 1 && plan[0].contains("USING INDEX"))
    }

    @Test func `what an earlier sync staged and did not apply is no part of the next one`() throws {
        try Fixture.load(store, "Tags", tags(0..<2, title: "loaded"))
        for isFollowed in [false, true] {
            let abandoned = try store.stage(set: "Tags")
            Fixture.push(tags(9..<10, title: "abandoned")[0].values, etag: Fixture.etag(9), into: abandoned)
            abandoned.removed(Key([.string("tag 0")]), reason: .deleted)
            try abandoned.finish()
            let rows = isFollowed ? tags(5..<6, title: "next") : []
            let report = try Fixture.stage(store, "Tags", rows)
            #expect(report == ApplyReport(stored: rows.count, removed: 0, skipped: 0))
            #expect(try Fixture.rows(store, "Tags").count == 2 + rows.count)
            let left = try store.reading { try $0.integer("SELECT COUNT(*) FROM tideline_stage_Tags") }
            #expect(left == 0)
        }
    }

    /// Found by the simulator: seed 10529.
    @Test(arguments: [false, true])
    func `a row with a change that waits meets what came after a load, and no older page of that`(
        isThere: Bool
    ) throws {
        let known = tags(1..<2, title: "known")[0]
        try Fixture.load(store, "Tags", [known])
        try store.write { try $0.update(Key([.string("tag 1")]), ["Title": .string("mine")], in: "Tags") }
        // A proxy had kept the page: it is of before the row came, or of before it was what this device knows.
        let load = try store.beginLoad(set: "Tags")
        if isThere { Fixture.push(tags(1..<2, title: "older")[0].values, etag: Fixture.etag(9), into: load) }
        try load.finish()
        let changes = try store.stage(set: "Tags")
        Fixture.push(known.values, etag: Fixture.etag(known.etag), into: changes)
        try changes.finish()
        let report = try store.apply(
            Checkpoint(deltaLinks: ["Tags": "link-2"], loads: ["Tags"], staged: ["Tags"])
        )
        #expect(report.conflicts.isEmpty)
        let pending = try store.pendingTransactions().flatMap(\.changes)
        #expect(pending.map(\.change.operation) == [.update])
        #expect(pending.map(\.baseETag) == [Fixture.etag(known.etag)])
        #expect(try Fixture.rows(store, "Tags").map { $0["Title"] } == [.string("mine")])
    }

    @Test func `of what waits a part is handed out, and all of it is counted`() throws {
        for name in ["x", "y", "z"] { try store.write { try $0.insert(["Code": .string(name)], into: "Tags") } }
        let (transactions, all) = try store.pending(limit: 2, bytes: .max)
        #expect(transactions.map(\.number) == [1, 2])
        #expect(all == 3)
    }
}
