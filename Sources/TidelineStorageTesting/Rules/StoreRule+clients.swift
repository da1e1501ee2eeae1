// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// What is remembered of clients.
    static let clients: [StoreRule] = [
        StoreRule("a mark is the last one set, for each client its own") { world throws in
            try world.store.write { writer throws in
                #expect(try writer.mark(client: "c") == nil)
                try writer.setMark(ClientMark(user: nil, transaction: 1), client: "c")
                try writer.setMark(ClientMark(user: "u", transaction: 2), client: "c")
                try writer.setMark(ClientMark(user: "v", transaction: 7), client: "C")
                #expect(try writer.mark(client: "c") == ClientMark(user: "u", transaction: 2))
            }
            try world.store.read { reader throws in
                #expect(try reader.mark(client: "c") == ClientMark(user: "u", transaction: 2))
                #expect(try reader.mark(client: "C") == ClientMark(user: "v", transaction: 7))
                #expect(try reader.mark(client: "d") == nil)
            }
        },
        StoreRule("an answer is kept until it is forgotten, with the bytes that it had") { world throws in
            let bytes = (0...255).map { UInt8($0) }
            let answer = { (number: Int64?) in KeptAnswer(transaction: number, requestHash: [0, 255], bytes: bytes) }
            try world.store.write { writer throws in
                for number in [1, 2, 3] as [Int64] {
                    try writer.keep(answer(number), client: "c", request: "r\(number)")
                }
                try writer.keep(answer(1), client: "d", request: "r1")
                try writer.keep(KeptAnswer(transaction: nil, requestHash: [], bytes: []), client: "c", request: "free")
                try writer.keep(KeptAnswer(transaction: 3, requestHash: [9], bytes: [9]), client: "c", request: "r3")
                try writer.forgetAnswers(client: "c", through: 2)
            }
            try world.store.read { reader throws in
                #expect(try reader.answer(client: "c", request: "r1") == nil)
                #expect(try reader.answer(client: "c", request: "r2") == nil)
                #expect(
                    try reader.answer(client: "c", request: "r3")
                        == KeptAnswer(transaction: 3, requestHash: [9], bytes: [9])
                )
                #expect(try reader.answer(client: "d", request: "r1") == answer(1))
                #expect(
                    try reader.answer(client: "c", request: "free")
                        == KeptAnswer(transaction: nil, requestHash: [], bytes: [])
                )
            }
        },
        StoreRule("one answer is forgotten by its request, and it is told whether it was there") { world throws in
            let answer = KeptAnswer(transaction: 1, requestHash: [], bytes: [1])
            try world.store.write { writer throws in
                try writer.keep(answer, client: "c", request: "r")
                try writer.keep(answer, client: "c", request: "s")
                try writer.keep(answer, client: "d", request: "r")
                #expect(try writer.forgetAnswer(client: "c", request: "r"))
            }
            try world.store.write { writer throws in
                #expect(try !writer.forgetAnswer(client: "c", request: "r"))
                #expect(try !writer.forgetAnswer(client: "e", request: "r"))
                #expect(try writer.answer(client: "c", request: "s") == answer)
                #expect(try writer.answer(client: "d", request: "r") == answer)
            }
        },
        StoreRule("answers without a number are forgotten by their age, those with one are not") { world throws in
            let free = KeptAnswer(transaction: nil, requestHash: [], bytes: [1])
            let numbered = KeptAnswer(transaction: 1, requestHash: [], bytes: [2])
            try world.store.write { writer throws in
                try writer.keep(free, client: "c", request: "free")
                try writer.keep(numbered, client: "c", request: "numbered")
                try writer.keep(free, client: "d", request: "free")
                try writer.forgetAnswers(olderThan: 3_600)
                #expect(try writer.answer(client: "c", request: "free") == free)
            }
            // Of a moment to come all are older.
            try world.store.write { try $0.forgetAnswers(olderThan: -3_600) }
            try world.store.read { reader throws in
                #expect(try reader.answer(client: "c", request: "free") == nil)
                #expect(try reader.answer(client: "d", request: "free") == nil)
                #expect(try reader.answer(client: "c", request: "numbered") == numbered)
            }
        },
        StoreRule("mark and answer come and go with the transaction of their effect") { world throws in
            try world.store.write { writer throws in
                #expect(throws: StorageError.self) {
                    try writer.savepoint {
                        try writer.setMark(ClientMark(user: nil, transaction: 1), client: "c")
                        try writer.keep(
                            KeptAnswer(transaction: 1, requestHash: [], bytes: []),
                            client: "c",
                            request: "r"
                        )
                        try world.insert("Clients", ["k1", "taken", nil], writer)
                    }
                }
                #expect(try writer.mark(client: "c") == nil)
                #expect(try writer.answer(client: "c", request: "r") == nil)
                try world.insert("Clients", ["fine", "x", nil], writer)
                try writer.setMark(ClientMark(user: nil, transaction: 2), client: "c")
            }
            #expect(try world.store.read { try $0.mark(client: "c")?.transaction } == 2)
            let start = try world.position()
            try world.store.write { try $0.setMark(ClientMark(user: nil, transaction: 3), client: "c") }
            for set in world.store.model.sets where !set.isReadOnly {
                #expect(try world.changes(set.names.wire, since: start) == [])
            }
        },
    ]
}
