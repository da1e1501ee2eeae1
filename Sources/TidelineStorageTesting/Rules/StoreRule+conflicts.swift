// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    private static func conflict(_ key: String, client: String? = nil, time: Int64 = 100) -> LoggedConflict {
        var conflict = LoggedConflict(
            kind: client == nil ? .unseen : .refused,
            set: "Clients",
            key: key,
            lost: #"{"Name":"é'\u0000"}"#,
            won: nil,
            time: time
        )
        conflict.user = client == nil ? nil : "u"
        conflict.client = client
        conflict.request = client.map { $0 + "-1" }
        conflict.policy = "Name lastEdit"
        conflict.isOpen = client != nil
        return conflict
    }

    /// What is kept of values that lost.
    static let conflicts: [StoreRule] = [
        StoreRule("entries of the conflict log are read as they were written, the newest first") { world throws in
            let written = [conflict("(1)"), conflict("(2)", client: "c"), conflict("('ä')", client: "d")]
            try world.store.write { writer throws in
                for conflict in written { try writer.log(conflict) }
                #expect(try writer.conflicts(ConflictQuery()).count == 3)
            }
            let found = try world.store.read { try $0.conflicts(ConflictQuery()) }
            #expect(
                found.map { conflict in
                    var conflict = conflict
                    conflict.id = 0
                    return conflict
                } == Array(written.reversed())
            )
            #expect(found[0].id > found[1].id && found[1].id > found[2].id)
            try world.store.read { reader throws in
                #expect(try reader.conflicts(ConflictQuery(id: found[1].id)) == [found[1]])
                #expect(try reader.conflicts(ConflictQuery(id: found[0].id + 9)) == [])
                #expect(try reader.conflicts(ConflictQuery(limit: 2)) == Array(found.prefix(2)))
                #expect(try reader.conflicts(ConflictQuery(openOf: "c")) == [found[1]])
                #expect(try reader.conflicts(ConflictQuery(openOf: "C")) == [])
            }
        },
        StoreRule("entries of the conflict log are found by their rows, the open ones of a device too") {
            world throws in
            let odd = #"('a"\{},ä')"#
            try world.store.write { writer throws in
                for key in ["(1)", "(2)", odd, "(1)"] { try writer.log(conflict(key, client: "c")) }
                try writer.log(conflict("(1)", client: "d"))
                try writer.log(conflict("(1)"))
                var other = conflict("(1)", client: "c")
                other.set = "Orders"
                try writer.log(other)
            }
            let all = try world.store.read { try $0.conflicts(ConflictQuery()) }
            let ids = Array(all.map(\.id).reversed())
            func found(_ keys: Set<String>, openOf: String?, limit: Int = 100) throws -> [Int64] {
                let rows = ConflictQuery.Rows(set: "Clients", keys: keys)
                let query = ConflictQuery(openOf: openOf, rows: rows, limit: limit)
                return try world.store.read { try $0.conflicts(query).map(\.id) }
            }
            #expect(try found(["(1)"], openOf: nil) == [ids[5], ids[4], ids[3], ids[0]])
            #expect(try found(["(1)"], openOf: "c") == [ids[3], ids[0]])
            #expect(try found(["(1)", "(2)", odd, "(9)"], openOf: "c") == [ids[3], ids[2], ids[1], ids[0]])
            #expect(try found(["(2)", "(1)"], openOf: "c", limit: 2) == [ids[3], ids[1]])
            #expect(try found([odd], openOf: "d") == [])
            #expect(try found([], openOf: "c") == [])
            try world.store.write { try $0.close(conflict: ids[3]) }
            #expect(try found(["(1)"], openOf: "c") == [ids[0]])
            #expect(try found(["(1)"], openOf: nil) == [ids[5], ids[4], ids[3], ids[0]])
        },
        StoreRule("entries are closed, marked restored and taken out, and all goes with its transaction") {
            world throws in
            try world.store.write { writer throws in
                try writer.log(conflict("(1)", client: "c"))
                try writer.log(conflict("(1)", client: "d"))
                try writer.log(conflict("(1)", client: "e"))
            }
            let ids = try world.store.read { try $0.conflicts(ConflictQuery()).map(\.id) }
            try world.store.write { writer throws in
                #expect(throws: StorageError.self) {
                    try writer.savepoint {
                        try writer.log(conflict("(3)"))
                        try writer.close(conflict: ids[0])
                        try writer.setRestored(conflict: ids[0], at: 5)
                        try writer.remove(conflict: ids[1])
                        try world.insert("Clients", ["k1", "taken", nil], writer)
                    }
                }
                try writer.close(conflict: ids[1])
                try writer.setRestored(conflict: ids[1], at: 7)
                try writer.remove(conflict: ids[2])
                try writer.remove(conflict: ids[0] + 9)
            }
            let found = try world.store.read { try $0.conflicts(ConflictQuery()) }
            #expect(found.map(\.id) == [ids[0], ids[1]])
            #expect(found.map(\.isOpen) == [true, false])
            #expect(found.map(\.restoredAt) == [nil, 7])
        },
        StoreRule("old entries of the conflict log go with a compaction, and no change is told of any of it") {
            world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                for time in [100, 200, 300] as [Int64] { try writer.log(conflict("(1)", time: time)) }
            }
            _ = try world.store.compact(LogRetention(seconds: 100), now: 300, limit: 10)
            #expect(try world.store.read { try $0.conflicts(ConflictQuery()).map(\.time) } == [300, 200])
            _ = try world.store.compact(LogRetention(), now: 3_000, limit: 10)
            #expect(try world.store.read { try $0.conflicts(ConflictQuery()).count } == 2)
            for set in world.store.model.sets where !set.isReadOnly {
                #expect(try world.changes(set.names.wire, since: start) == [])
            }
        },
    ]
}
