// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// SQLite ends a transaction itself after a full disk, an I/O error or an interruption.
struct BrokenTransactionTests {
    private struct Full: Error {}

    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try LocalStore.open(path: folder.file("a.tideline"), model: Fixture.model)
    }

    private func expectNothing() throws {
        #expect(try Fixture.rows(store, "Tags").isEmpty)
        #expect(try store.waitingChanges() == [])
        try store.write { try $0.insert(["Code": .string("z")], into: "Tags") }
        #expect(try store.waitingChanges().map(\.key) == [Key([.string("z")])])
    }

    @Test func `nothing is written after the transaction was rolled back inside a savepoint`() throws {
        let error = code {
            try store.write { transaction in
                try transaction.insert(["Code": .string("a")], into: "Tags")
                #expect(throws: Full.self) {
                    try transaction.savepoint { part in
                        try part.connection.run("ROLLBACK")
                        throw Full()
                    }
                }
                try transaction.insert(["Code": .string("b")], into: "Tags")
            }
        }
        #expect(error == .io)
        try expectNothing()
    }

    @Test func `a closure that ends after the transaction was rolled back is told`() throws {
        let error = code {
            try store.write { transaction in
                try transaction.insert(["Code": .string("a")], into: "Tags")
                try transaction.connection.run("ROLLBACK")
            }
        }
        #expect(error == .io)
        try expectNothing()
    }
}
