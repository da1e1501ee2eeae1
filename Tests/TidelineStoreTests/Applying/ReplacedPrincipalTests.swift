// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// A row that is gone on the service and inserted again under another key, and a restored service that has it again.
///
/// Found by the simulator: seed 849.
struct ReplacedPrincipalTests {
    let store: LocalStore
    let folder: TestFolder
    let five = Key([.integer(5)])
    let detail = Key([.integer(1)])

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try load()
        try store.write { try $0.update(five, ["Status": .integer(2)], in: "Orders") }
    }

    /// What the service has before, and again after it went back.
    private func load() throws {
        try Fixture.load(store, "Orders", [([.integer(5), .null, .integer(0), .null], 1)])
        try Fixture.load(store, "Details", [([.integer(1), .integer(5), .null, .null], 2)])
    }

    @Test func `a row refers again to what a restored service has again`() throws {
        try Fixture.stage(store, "Orders", removed: [(five, .deleted)])
        #expect(try Fixture.rows(store, "Details").map { $0["Order"] } == [.integer(-1)])
        try load()
        #expect(try Fixture.rows(store, "Details").map { $0["Order"] } == [.integer(5)])
        #expect(try Fixture.rows(store, "Orders").map { $0["OrderId"] } == [.integer(-1), .integer(5)])
    }

    @Test func `a row that was changed refers again to what a restored service has again when that is given up`() throws
    {
        try store.write { try $0.insert([:], into: "Orders") }
        try store.write { try $0.update(detail, ["Order": .integer(-1)], in: "Details") }
        try giveUpAfterRestore()
        #expect(try Fixture.rows(store, "Details").map { $0["Order"] } == [.integer(5)])
    }

    @Test func `a row that was deleted refers again to what a restored service has again when that is given up`() throws
    {
        try store.write { _ = try $0.delete(detail, in: "Details") }
        try giveUpAfterRestore()
        #expect(try Fixture.rows(store, "Details").map { $0["Order"] } == [.integer(5)])
    }

    /// The service refuses what was done to the detail, and a person discards it.
    private func giveUpAfterRestore() throws {
        try Fixture.stage(store, "Orders", removed: [(five, .deleted)])
        try load()
        let changed = try #require(
            try store.pendingTransactions().last { $0.changes.contains { $0.change.set == "Details" } }
        )
        try Fixture.send(store)
        try store.settle([.refused(number: changed.number, code: "X", message: "No.", status: 400)])
        let entry = try #require(try store.quarantined().first)
        #expect(try store.discard(quarantined: entry.id) == [entry.id])
    }
}
