// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Testing

@testable import TidelineStore

/// Deletions that give way to a row of the server, which refers to what they delete.
struct GivenUpDeletionTests {
    private let folder: TestFolder
    private let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(store, "Tags", [([.string("x"), .integer(1), .string("title"), .null], 1)])
        try Fixture.load(store, "Marks", [([.integer(1), .null], 1)])
    }

    /// Writes a transaction that is joined with nothing later.
    private func write(_ body: (LocalTransaction) throws -> Void) throws {
        try store.write(body)
        _ = try store.pendingTransactions()
    }

    @Test(arguments: [false, true])
    func `each is in the log, also where the row was inserted and deleted since, and that is on its way`(
        isOnItsWay: Bool
    ) throws {
        let x = Key([.string("x")])
        try write { transaction in
            _ = try transaction.delete(Key([.integer(1)]), in: "Marks")
            _ = try transaction.delete(x, in: "Tags")
        }
        if isOnItsWay {
            try write { _ = try $0.insert(["Code": .string("x"), "Title": .string("mine")], into: "Tags") }
            try write { _ = try $0.delete(x, in: "Tags") }
            let waiting = try store.pendingTransactions()
            let later = waiting.map(\.number).dropFirst()
            #expect(later.count == 2)
            try store.freeze(
                later.map {
                    FrozenGroup(number: $0, requestID: GUID(high: 1, low: UInt64($0)), bytes: [1, 2, 3])
                },
                of: waiting
            )
        }
        // The mark refers to the tag there.
        let report = try Fixture.stage(store, "Marks", [([.integer(1), .string("x")], 2)])
        #expect(report.conflicts.count == 2)
        let conflicts = try store.conflicts()
        #expect(conflicts.map(\.set).sorted() == ["Marks", "Tags"])
        #expect(conflicts.allSatisfy { $0.kind == .deletedHere })
        let tag = try #require(conflicts.first { $0.set == "Tags" })
        let title = try #require(tag.properties.first { $0.name == "Title" })
        #expect(tag.key == x && title.mine == .null && title.theirs == .string("title") && !title.mineWon)
        #expect(try store.pendingTransactions().count == (isOnItsWay ? 2 : 0))
        #expect(try Fixture.rows(store, "Marks").map { $0["Tag"] } == [.string("x")])
    }
}
