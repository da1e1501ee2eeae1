// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel

@testable import TidelineStore

/// What waited when its file was copied: both copies send it.
struct CopiedOutboxTests {
    @Test func `a copy sends no insert under another number than the original`() throws {
        let folder = try TestFolder()
        let settings = StoreSettings(identityFolder: folder.path)
        let a = Key([.string("a")])
        let original = try Fixture.store(folder, settings: settings)
        try Fixture.load(original, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(1)], 1)])
        try original.write { try $0.update(a, ["Title": .string("mine"), "Hits": .integer(2)], in: "Tags") }
        // Handed out, it takes in nothing that is written later.
        #expect(try original.pendingTransactions().map(\.number) == [1])
        try original.write { tx in
            try tx.update(a, ["Title": .string("mine again")], in: "Tags")
            try tx.insert(["Code": .string("new")], into: "Tags")
        }
        #expect(try original.pendingTransactions().map(\.number) == [1, 2])
        try original.write { try $0.update(a, ["Hits": .integer(3)], in: "Tags") }
        try original.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("copy"))

        let theirs = [Value.string("a"), .integer(1), .string("theirs"), .integer(1)]
        let current = [RemoteRow(set: "Tags", key: a, etag: Fixture.etag(5), values: theirs)]
        let copy = try LocalStore(path: folder.file("copy"), settings: settings)
        let report = try copy.settle([.conflict(number: 1, current: current)])
        let held = try copy.quarantined()
        #expect(report.quarantined == held.map(\.id))
        try #require(held.count == 1)
        #expect(held[0].number == 2 && held[0].code == "ConflictOfCopy" && held[0].status == 0)
        #expect(held[0].changes.map(\.operation) == [.insert])
        // What inserts nothing goes on: of two copies that send it, the version of the row lets one pass.
        #expect(report.rebased == [4])
        #expect(try copy.pendingTransactions().map(\.number) == [4, 5])

        let again = try LocalStore(path: folder.file("a.tideline"), settings: settings)
        #expect(try again.settle([.conflict(number: 1, current: current)]).rebased == [4])
        #expect(try again.pendingTransactions().map(\.number) == [4, 5, 6])
        #expect(try again.quarantined().isEmpty)
    }

    @Test func `a copy holds an insert that came after what it must not send`() throws {
        let folder = try TestFolder()
        let settings = StoreSettings(identityFolder: folder.path)
        let (a, b) = (Key([.string("a")]), Key([.string("b")]))
        let original = try Fixture.store(folder, settings: settings)
        try Fixture.load(
            original,
            "Tags",
            [
                ([.string("a"), .integer(1), .string("A"), .null], 1),
                ([.string("b"), .integer(2), .string("B"), .null], 1),
            ]
        )
        try original.write { tx in
            for key in [a, b] { try tx.update(key, ["Title": .string("mine")], in: "Tags") }
        }
        _ = try original.pendingTransactions()
        try original.write { tx in
            try tx.update(a, ["Title": .string("again")], in: "Tags")
            try tx.insert([:], into: "Orders")
        }
        let theirs = [Value.string("a"), .integer(1), .string("theirs"), .null]
        let current = [RemoteRow(set: "Tags", key: a, etag: Fixture.etag(5), values: theirs)]
        try original.settle([.conflict(number: 1, current: current)])
        // The service's title won, and with it went what tied the two.
        #expect(try original.pendingTransactions().map(\.number) == [3, 4])
        #expect(try original.pendingTransactions().map(\.earlier) == [[], [3]])
        try original.close()
        try FileManager.default.copyItem(atPath: folder.file("a.tideline"), toPath: folder.file("copy"))
        let copy = try LocalStore(path: folder.file("copy"), settings: settings)
        try copy.settle([.refused(number: 3, code: "ConflictOfCopy", message: "", status: 412), .again(number: 4)])
        #expect(try copy.pendingTransactions().isEmpty)
        #expect(try copy.quarantined().map(\.number) == [3, 4])
        #expect(try copy.quarantined().map(\.code) == ["ConflictOfCopy", "ConflictOfCopy"])
    }
}
