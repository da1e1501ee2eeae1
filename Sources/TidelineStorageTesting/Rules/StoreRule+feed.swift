// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// What the change feed tells.
    static let feed: [StoreRule] = [
        StoreRule("every operation is told once, with the entity as it was") { world throws in
            let start = try world.position()
            #expect(try world.changes("Clients", since: start) == [])
            try world.insert("Clients", "k4", "Dan", nil)
            try world.update("Clients", [.string("k2")], "Rating", .number("2"))
            try world.delete("Clients", .string("É"))
            #expect(
                try world.changes("Clients", since: start) == ["(k4) new", "(k2) k2|Bob|null", "(É) É|Zoë|4.5"]
            )
            #expect(try world.changes("Orders", since: start) == [])
            #expect(try world.changes("Clients", since: try world.position()) == [])
        },
        StoreRule("the sets that changed are told by their names, each while its change is new") { world throws in
            let start = try world.position()
            let sets = { (since: FeedPosition) in try world.store.read { try $0.changedSets(since: since) } }
            #expect(try sets(start) == [])
            try world.update("Clients", [.string("k2")], "Rating", .number("2"))
            try world.update("Clients", [.string("k2")], "Rating", .number("3"))
            let middle = try world.position()
            #expect(try sets(start) == ["Clients"])
            try world.delete("Samples", .integer(1))
            #expect(try sets(start) == ["Clients", "Samples"])
            #expect(try sets(middle) == ["Samples"])
            #expect(try sets(try world.position()) == [])
        },
        StoreRule("an image has every type") { world throws in
            let start = try world.position()
            for key in [1, 2, 3] as [Int64] { try world.delete("Samples", .integer(key)) }
            let type = try world.set("Samples").type
            let expected = try StoreFixture.sampleTexts.enumerated().map { number, texts in
                let values = try zip(texts, type.properties).map { text, property in
                    try #require(Value(text: text ?? "", as: property.type))
                }
                return "(\(number + 1)) \(World.text(values))"
            }
            let nulls = String(repeating: "|null", count: 16)
            #expect(try world.changes("Samples", since: start) == expected + ["(3) 3\(nulls)"])
        },
        StoreRule("a key is told once, with its first image, in the order of its last change") { world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                _ = try world.update("Clients", [.string("k1")], "Name", .string("A2"), writer)
                _ = try world.update("Clients", [.string("k2")], "Name", .string("B2"), writer)
                _ = try world.update("Clients", [.string("k1")], "Name", .string("A3"), writer)
            }
            let middle = try world.position()
            try world.insert("Clients", "k5", "In and out", nil)
            try world.update("Clients", [.string("k2")], "Name", .string("B3"))
            try world.delete("Clients", .string("k5"))
            #expect(
                try world.changes("Clients", since: start) == ["(k1) k1|Ann|4.5", "(k2) k2|Bob|null", "(k5) new"]
            )
            #expect(try world.changes("Clients", since: middle) == ["(k2) k2|B2|null", "(k5) new"])
        },
        StoreRule("a changed key is told as the old one and the new one") { world throws in
            let start = try world.position()
            try world.update("Lines", [.integer(6), .integer(10)], "Place", .integer(11))
            let bolt = StoreFixture.product(1)
            #expect(try world.changes("Lines", since: start) == ["(6,10) 6|10|\(bolt)|2|null", "(6,11) new"])
        },
        StoreRule("what the database does to dependents is told") { world throws in
            let start = try world.position()
            try world.delete("Orders", .integer(6))
            try world.update("Sellers", [.integer(3)], "MentorId", .null)
            let middle = try world.position()
            try world.delete("Sellers", .integer(2))
            let lines = try world.changes("Lines", since: start).sorted()
            #expect(lines.map { $0.prefix { $0 != " " } } == ["(6,10)", "(6,9)"])
            #expect(
                try world.changes("Orders", since: middle).sorted() == [
                    "(1) 1|a|k1|2|10.5|2024-01-01T10:00:00Z", "(4) 4|null|null|2|10.5|1969-12-31T23:59:59.999Z",
                ]
            )
            #expect(try world.changes("Sellers", since: middle).sorted() == ["(2) 2|Second|1|1", "(4) 4|null|2|null"])
        },
        StoreRule("what another program changes is told") { world throws in
            let start = try world.position()
            try world.runOutside(
                """
                UPDATE clients SET name = 'Anna' WHERE id = 'k1'; DELETE FROM samples WHERE id = 3;
                INSERT INTO clients(id, name) VALUES ('o''1', 'sql'); UPDATE orders SET total = total + 1 WHERE id < 3
                """
            )
            #expect(try world.changes("Clients", since: start) == ["(k1) k1|Ann|4.5", "(o'1) new"])
            #expect(try world.changes("Orders", since: start).count == 2)
            #expect(try world.changes("Samples", since: start).count == 1)
        },
        StoreRule("a long value is left out of the image or told right") { world throws in
            let long = String(repeating: "x", count: 300)
            try world.update("Profiles", [.string("k1")], "Motto", .string(long))
            let start = try world.position()
            try world.update("Profiles", [.string("k1")], "Motto", .string("short"))
            let changes = try world.changes("Profiles", since: start)
            #expect(changes == ["(k1) k1|?"] || changes == ["(k1) k1|\(long)"])
        },
        StoreRule("a scope narrows the keys and not their first image") { world throws in
            let start = try world.position()
            try world.update("Orders", [.integer(1)], "ClientId", .string("k2"))
            try world.update("Orders", [.integer(1)], "ClientId", .string("É"))
            try world.update("Orders", [.integer(5)], "Total", .number("9"))
            try world.insert("Orders", "-", "new", "É", nil, "1", nil)
            try world.delete("Orders", .integer(3))
            let property = try world.place("ClientId", of: "Orders")
            let changes = { (client: String) throws -> [String] in
                try world.changes("Orders", since: start, scope: .init(property: property, value: .string(client)))
            }
            let first = "(1) 1|a|k1|2|10.5|2024-01-01T10:00:00Z"
            #expect(try changes("k1") == [first])
            #expect(try changes("k2") == [first, "(3) 3|null|k2|null|100|null"])
            #expect(try changes("É") == [first, "(7) new"])
            #expect(try changes("k3") == ["(5) 5|e|k3|null|0.01|null"])
            #expect(try changes("nobody") == [])
        },
        StoreRule("pages of the feed hold each key once, also when changes go on between them") { world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                for number in 0..<25 { try world.insert("Clients", ["n\(number)", "new", nil], writer) }
            }
            try world.update("Clients", [.string("n3")], "Name", .string("last"))
            var lines: [String] = []
            var sizes: [Int] = []
            var query = ChangeQuery(set: try world.set("Clients"), since: start, limit: 10)
            let middle = try world.position()
            repeat {
                let (page, next) = try world.store.read { try World.changes(query, $0) }
                lines += page
                sizes.append(page.count)
                query.after = next
                if sizes.count == 1 { try world.update("Clients", [.string("n0")], "Name", .string("again")) }
            } while query.after != nil && sizes.count < 9
            #expect(sizes == [10, 10, 6])
            let keys = ((0..<25).filter { $0 != 3 } + [3, 0]).map { "(n\($0)) new" }
            #expect(lines == keys)
            #expect(try world.changes("Clients", since: middle) == ["(n0) n0|new|null"])
        },
        StoreRule("a position taken inside a write is served, and tells what is written after it") { world throws in
            let position = try world.store.write { writer throws in
                try world.insert("Clients", ["k7", "inside", nil], writer)
                return try writer.position()
            }
            let own = try world.changes("Clients", since: position)
            #expect(own == [] || own == ["(k7) new"])
            try world.insert("Clients", "k8", "after", nil)
            #expect(try world.changes("Clients", since: position) == own + ["(k8) new"])
        },
        StoreRule("a transaction lists its own changes") { world throws in
            let start = try world.position()
            try world.store.write { writer throws in
                _ = try world.update("Clients", [.string("k1")], "Name", .string("x"), writer)
                let query = ChangeQuery(set: try world.set("Clients"), since: start)
                #expect(try World.changes(query, writer).lines == ["(k1) k1|Ann|4.5"])
            }
        },
        StoreRule("a read-only set has no changes to tell") { world throws in
            let start = try world.position()
            let error = #expect(throws: StorageError.self) { try world.changes("BigOrders", since: start) }
            #expect(error?.code == .unsupported)
        },
    ]
}
