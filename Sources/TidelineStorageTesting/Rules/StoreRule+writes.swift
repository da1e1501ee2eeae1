// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Inserts, updates, deletions.
    static let writes: [StoreRule] = [
        StoreRule("an insert gives back the key that the database made, defaults apply, computed values appear") {
            world throws in
            let orders = try world.set("Orders")
            let key = try world.store.write { writer throws in
                // A given value of a generated key is ignored.
                let key = try writer.insert([0: .integer(-5), 1: .string("new")], into: orders)
                #expect(key == Key([.integer(7)]))
                #expect(try writer.entity(key, in: orders).map { World.text($0.values) } == "7|new|null|null|0|null")
                return key
            }
            #expect(
                try world.store.read { try $0.entity(key, in: orders)?.values[4] }
                    == .decimal(EdmDecimal(coefficient: 0))
            )
            try world.insert("Products", StoreFixture.product(7), "Screw", nil, "1.25", "ignored")
            let product = Value.guid(text: StoreFixture.product(7))
            #expect(try world.row("Products", product)?.hasSuffix("|Screw|null|1.25|Screw!") == true)
            try world.update("Products", [product], "Name", .string("Pin"))
            #expect(try world.row("Products", product)?.hasSuffix("|Pin|null|1.25|Pin!") == true)
        },
        StoreRule("a null that is given is kept where a default stands") { world throws in
            let error = world.error { writer throws in
                _ = try writer.insert([1: .string("x"), 4: .null], into: try world.set("Orders"))
            }
            #expect(error?.code == .nullValue)
        },
        StoreRule("update and delete say whether there was such an entity") { world throws in
            let orders = try world.set("Orders")
            let answers = try world.store.write { writer throws in
                [
                    try writer.update(Key([.integer(5)]), [1: .string("E")], in: orders),
                    try writer.update(Key([.integer(5)]), [:], in: orders),
                    try writer.update(Key([.integer(99)]), [1: .string("z")], in: orders),
                    try writer.update(Key([.integer(99)]), [:], in: orders),
                    try writer.delete(Key([.integer(5)]), in: orders),
                    try writer.delete(Key([.integer(5)]), in: orders),
                    try writer.update(Key([.integer(5)]), [1: .string("z")], in: orders),
                ]
            }
            #expect(answers == [true, true, false, false, true, false, false])
            #expect(try world.orders(by: "Id") == ["1", "2", "3", "4", "6"])
        },
        StoreRule("an update changes what it names and nothing else, a key too") { world throws in
            try world.store.write { writer throws in
                let changed = try writer.update(
                    Key([.integer(6), .integer(10)]),
                    [1: .integer(11), 4: .string("moved")],
                    in: world.set("Lines")
                )
                #expect(changed)
            }
            let bolt = StoreFixture.product(1)
            #expect(try world.row("Lines", .integer(6), .integer(10)) == nil)
            #expect(try world.row("Lines", .integer(6), .integer(11)) == "6|11|\(bolt)|2|moved")
            #expect(try world.row("Lines", .integer(6), .integer(9))?.hasSuffix("|3|") == true)
        },
        StoreRule("a transaction sees what it wrote, in every way of reading") { world throws in
            try world.store.write { writer throws in
                let key = try world.insert("Orders", ["-", "mine", "k2", nil, "7", nil], writer)
                let filter = Expression.compare("Client/Name", .equal, .string("Bob"))
                let plan = try world.plan("Orders", columns: ["Number"], filter: filter)
                let recorder = RowRecorder()
                _ = try writer.read(plan, into: recorder)
                #expect(recorder.lines == ["null", "mine"])
                #expect(try writer.count(plan) == 2)
                let condition = try world.condition(filter, on: "Orders")
                #expect(try writer.satisfies(condition, key: key, in: world.set("Orders"), user: .anonymous))
                #expect(try writer.delete(key, in: world.set("Orders")))
                #expect(try writer.count(plan) == 1)
                #expect(try writer.entity(key, in: world.set("Orders")) == nil)
            }
        },
        StoreRule("deleting follows the rules of the references: cascade, set to null") { world throws in
            try world.delete("Sellers", .integer(4))
            try world.update("Sellers", [.integer(3)], "MentorId", .null)
            try world.delete("Sellers", .integer(2))
            #expect(
                try world.lines(try world.plan("Orders", columns: ["SellerId"])) == [
                    "null", "3", "null", "null", "null", "null",
                ]
            )
            try world.delete("Orders", .integer(6))
            #expect(try world.lines(try world.plan("Lines", columns: ["OrderId", "Place"])) == ["1|1", "1|2", "2|1"])
            try world.delete("Orders", .integer(5))
            try world.delete("Clients", .string("k3"))
            #expect(try world.lines(try world.plan("Profiles")) == ["k1|first"])
            try world.update("Sellers", [.integer(3)], "BossId", .integer(3))
            try world.delete("Sellers", .integer(1))
            try world.delete("Sellers", .integer(3))
            #expect(try world.lines(try world.plan("Sellers")) == [])
        },
        StoreRule("unique values may be null many times, and a partly null foreign key refers to nothing") {
            world throws in
            try world.insert("Orders", "-", nil, nil, nil, "1", nil)
            try world.insert("Products", StoreFixture.product(8), "Nut", nil, nil, "-")
            #expect(try world.store.read { try $0.count(world.plan("Orders")) } == 7)
            #expect(
                try world.lines(try world.plan("Products", columns: ["Label"])) == ["Bolt!", "Bolt!", "Nut!", "Nut!"]
            )
        },
        StoreRule("values of any bytes are stored as they are") { world throws in
            let texts = [
                "é", "e\u{301}", "'; --", "\"q\" \\ %_", "\r\n\t", " lead and trail ", "\u{10FFFF}", "$1 ?1 :a",
            ]
            for (number, text) in texts.enumerated() {
                try world.insert("Clients", "t\(number)", text, nil)
                let found = try #require(try world.entity("Clients", .string("t\(number)")))
                #expect(found.values[1] == .string(text))
            }
            let bytes = (0...255).map { UInt8($0) }
            try world.update("Samples", [.integer(3)], "Binary", .binary(bytes))
            try world.update("Samples", [.integer(3)], "String", .string(String(repeating: "ä", count: 5000)))
            let sample = try #require(try world.entity("Samples", .integer(3)))
            #expect(sample.values[1] == .binary(bytes))
            #expect(sample.values[15] == .string(String(repeating: "ä", count: 5000)))
        },
    ]
}
