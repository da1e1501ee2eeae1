// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    private struct Stop: Error {}

    /// Runs `body` in a savepoint that fails after it.
    private static func failing(_ writer: any StoreWriter, _ body: () throws -> Void) throws {
        do {
            try writer.savepoint {
                try body()
                throw Stop()
            }
        } catch is Stop {}
    }

    /// Transactions, savepoints, snapshots, durability.
    static let transactions: [StoreRule] = [
        StoreRule("a closure that throws leaves nothing: no row, no change in the log, no mark, no answer") {
            world throws in
            let start = try world.position()
            #expect(throws: Stop.self) {
                try world.store.write { writer throws in
                    try world.insert("Clients", ["k9", "Gone", nil], writer)
                    _ = try world.update("Orders", [.integer(1)], "Number", .string("gone"), writer)
                    try writer.setMark(ClientMark(user: "u", transaction: 9), client: "c")
                    try writer.keep(KeptAnswer(transaction: 9, requestHash: [1], bytes: [2]), client: "c", request: "r")
                    throw Stop()
                }
            }
            #expect(try world.row("Clients", .string("k9")) == nil)
            #expect(try world.row("Orders", .integer(1))?.hasPrefix("1|a|") == true)
            #expect(try world.changes("Clients", since: start) == [])
            #expect(try world.changes("Orders", since: start) == [])
            try world.store.read { reader throws in
                #expect(try reader.mark(client: "c") == nil)
                #expect(try reader.answer(client: "c", request: "r") == nil)
            }
        },
        StoreRule("a savepoint that fails takes back its own changes alone, also when nested") { world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                try world.insert("Clients", ["s1", "stays", nil], writer)
                try failing(writer) {
                    try world.insert("Clients", ["s2", "goes", nil], writer)
                    try writer.savepoint { _ = try world.insert("Clients", ["s3", "goes too", nil], writer) }
                }
                try writer.savepoint {
                    try world.insert("Clients", ["s4", "stays", nil], writer)
                    try failing(writer) { try world.insert("Clients", ["s5", "goes", nil], writer) }
                }
                #expect(try writer.count(world.plan("Clients")) == 6)
            }
            #expect(try world.changes("Clients", since: start) == ["(s1) new", "(s4) new"])
            #expect(try world.store.read { try $0.count(world.plan("Clients")) } == 6)
        },
        StoreRule("a refused change inside a savepoint leaves the transaction usable") { world throws in
            try world.store.write { writer throws in
                for texts in [["k1", "taken", nil], ["ok", nil, nil]] as [[String?]] {
                    let error = #expect(throws: StorageError.self) {
                        try writer.savepoint { try world.insert("Clients", texts, writer) }
                    }
                    #expect(error?.code == (texts[0] == "k1" ? .duplicateKey : .nullValue))
                }
                try world.insert("Clients", ["ok", "fine", nil], writer)
            }
            #expect(try world.row("Clients", .string("ok")) == "ok|fine|null")
        },
        StoreRule("a deferred reference may be missing for a while, and speaks when asked or at the end") {
            world throws in
            try world.store.write { writer throws in
                try world.insert("Sellers", ["10", "Pupil", nil, "11"], writer)
                try world.insert("Sellers", ["11", "Mentor", nil, nil], writer)
                try writer.checkDeferredConstraints()
                let late = #expect(throws: StorageError.self) {
                    try writer.savepoint {
                        try world.insert("Sellers", ["12", nil, nil, "99"], writer)
                        try writer.checkDeferredConstraints()
                    }
                }
                #expect(late?.code == .missingReference)
                try writer.checkDeferredConstraints()
            }
            #expect(try world.row("Sellers", .integer(10)) == "10|Pupil|null|11")
            #expect(try world.row("Sellers", .integer(12)) == nil)
            let atEnd = world.error { _ = try world.insert("Sellers", ["13", nil, nil, "99"], $0) }
            #expect(atEnd?.code == .missingReference)
            let mentor = world.error { _ = try $0.delete(Key([.integer(11)]), in: world.set("Sellers")) }
            #expect(mentor?.code == .missingReference)
            #expect(try world.row("Sellers", .integer(11)) == "11|Mentor|null|null")
        },
        StoreRule("a read sees one snapshot, whatever is written beside it") { world throws in
            let plan = try world.plan("Orders")
            let start = try world.position()
            try world.store.read { reader throws in
                let before = RowRecorder()
                _ = try reader.read(plan, into: before)
                let position = try reader.position()
                try world.insert("Orders", "-", "beside", nil, nil, "1", nil)
                try world.update("Orders", [.integer(1)], "Number", .string("changed"))
                try world.delete("Lines", .integer(2), .integer(1))
                let after = RowRecorder()
                _ = try reader.read(plan, into: after)
                #expect(after.lines == before.lines)
                #expect(after.etags == before.etags)
                #expect(try reader.count(plan) == 6)
                #expect(try reader.entity(Key([.integer(7)]), in: plan.set) == nil)
                #expect(try reader.position() == position)
                #expect(try World.changes(ChangeQuery(set: plan.set, since: start), reader).lines == [])
            }
            #expect(try world.store.read { try $0.count(plan) } == 7)
            #expect(try world.changes("Orders", since: start).count == 2)
        },
        StoreRule("writers that read and change one row lose no change") { world throws in
            let set = try world.set("Lines")
            let store = world.store
            let key = Key([.integer(1), .integer(1)])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for _ in 0..<5 {
                    do {
                        try store.write { writer throws in
                            guard case .integer(let number)? = try writer.entity(key, in: set)?.values[3] else {
                                return
                            }
                            _ = try writer.update(key, [3: .integer(number + 1)], in: set)
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            #expect(try world.entity("Lines", .integer(1), .integer(1))?.values[3] == .integer(25))
        },
        StoreRule("what was written is there after the store is opened again") { world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                try world.insert("Clients", ["d", "durable", nil], writer)
                try writer.setMark(ClientMark(user: nil, transaction: 3), client: "c")
                try writer.keep(KeptAnswer(transaction: 3, requestHash: [1], bytes: [2, 0]), client: "c", request: "r")
            }
            let etag = try world.entity("Clients", .string("d"))?.etag
            let orders = try world.lines(try world.plan("Orders"))
            try world.reopen()
            #expect(try world.entity("Clients", .string("d"))?.etag == etag)
            #expect(try world.lines(try world.plan("Orders")) == orders)
            #expect(try world.changes("Clients", since: start) == ["(d) new"])
            try world.store.read { reader throws in
                #expect(try reader.mark(client: "c") == ClientMark(user: nil, transaction: 3))
                #expect(
                    try reader.answer(client: "c", request: "r")
                        == KeptAnswer(transaction: 3, requestHash: [1], bytes: [2, 0])
                )
            }
            #expect(try world.insert("Orders", "-", "later", nil, nil, "1", nil) == Key([.integer(7)]))
            #expect(try world.changes("Orders", since: start) == ["(7) new"])
        },
    ]
}
