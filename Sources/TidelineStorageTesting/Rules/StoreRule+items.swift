// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    private static func json(_ text: String) -> Value { .string(text) }

    /// Collections whose items are rows of a table of their own.
    static let items: [StoreRule] = [
        StoreRule("a collection in a table of its own is read as JSON, and is never null") { world throws in
            #expect(
                try world.row("Albums", .integer(1))
                    == #"1|T1|[{"Text":"b","Weight":5},{"Text":"a","Weight":null}]|[1,2,3]"#
            )
            #expect(try world.row("Albums", .integer(2)) == #"2|T2|[{"Text":"a \"q\"","Weight":-1}]|[]"#)
            #expect(try world.row("Albums", .integer(3)) == "3|T3|[]|[]")
            #expect(
                try world.lines(world.plan("Albums", columns: ["Marks"], includesETag: false)) == [
                    "[1,2,3]", "[]", "[]",
                ]
            )
        },
        StoreRule("a change of a collection replaces it, and the rest stays") { world throws in
            try world.update("Albums", [.integer(1)], "Words", json(#"[{"Text":"c","Weight":1}]"#))
            try world.update("Albums", [.integer(2)], "Marks", json("[7]"))
            try world.update("Albums", [.integer(3)], "Title", .string("x"))
            #expect(try world.row("Albums", .integer(1)) == #"1|T1|[{"Text":"c","Weight":1}]|[1,2,3]"#)
            #expect(try world.row("Albums", .integer(2)) == #"2|T2|[{"Text":"a \"q\"","Weight":-1}]|[7]"#)
            try world.update("Albums", [.integer(1)], "Marks", .null)
            #expect(try world.row("Albums", .integer(1)) == #"1|T1|[{"Text":"c","Weight":1}]|[]"#)
            let isThere = try world.store.write {
                try world.update("Albums", [.integer(9)], "Marks", json("[7]"), $0)
            }
            #expect(!isThere)
        },
        StoreRule("filters ask for any, all, the number and membership of items") { world throws in
            func albums(_ filter: Expression) throws -> [String] {
                try world.lines(world.plan("Albums", columns: ["Id"], filter: filter, includesETag: false))
            }
            func words(_ quantifier: Expression.Quantifier, _ condition: Expression?) -> Expression {
                .lambda(quantifier, over: ["Words"], variable: "w", condition)
            }
            #expect(try albums(words(.any, nil)) == ["1", "2"])
            #expect(
                try albums(words(.any, .binary(.equal, .path(["w", "Text"]), .literal(.string("a"))))) == ["1"]
            )
            #expect(
                try albums(words(.all, .binary(.lessThan, .path(["w", "Weight"]), .literal(.integer(0))))) == [
                    "2", "3",
                ]
            )
            let three = Expression.lambda(
                .any,
                over: ["Marks"],
                variable: "m",
                .binary(.greaterThan, .path(["m"]), .literal(.integer(2)))
            )
            #expect(try albums(three) == ["1"])
            let number = Expression.count(of: ["Marks"], filter: nil, search: nil)
            #expect(try albums(.binary(.equal, number, .literal(.integer(3)))) == ["1"])
            #expect(try albums(.binary(.equal, number, .literal(.integer(0)))) == ["2", "3"])
        },
        StoreRule("a change of a collection is a change of its entity: its version and the feed say so") {
            world throws in
            let start = try world.position()
            let before = try #require(try world.entity("Albums", .integer(1)))
            try world.update("Albums", [.integer(1)], "Marks", json("[1,2,4]"))
            let after = try #require(try world.entity("Albums", .integer(1)))
            #expect(before.etag != after.etag)
            let changes = try world.changes("Albums", since: start)
            #expect(changes.count == 1 && changes[0].hasPrefix("(1) 1|T1|"))
            let middle = try world.position()
            try world.runOutside(
                """
                UPDATE album_words SET word = 'z' WHERE album_id = 2; DELETE FROM album_marks WHERE album_id = 1;
                INSERT INTO album_marks(album_id, mark) VALUES (3, 9);
                """
            )
            let keys = try world.changes("Albums", since: middle).map { $0.prefix { $0 != " " } }
            #expect(keys.sorted() == ["(1)", "(2)", "(3)"])
            #expect(try world.row("Albums", .integer(3)) == "3|T3|[]|[9]")
        },
        StoreRule("deleting an entity deletes its items, and is told once") { world throws in
            let start = try world.position()
            try world.delete("Albums", .integer(1))
            #expect(try world.row("Albums", .integer(1)) == nil)
            let changes = try world.changes("Albums", since: start)
            #expect(changes.count == 1 && changes[0].hasPrefix("(1) 1|T1|"))
            try world.insert("Albums", "1", "T1", "-", "-")
            #expect(try world.row("Albums", .integer(1)) == "1|T1|[]|[]")
        },
        StoreRule("what is no such collection is refused, and nothing of it stays") { world throws in
            try world.require(.itemChecks)
            let set = try world.set("Albums")
            for text in ["{}", #"["x"]"#, #"[1,1]"#] {
                let error = world.error { writer throws in
                    _ = try writer.update(Key([.integer(2)]), [3: json(text)], in: set)
                }
                #expect(error?.set == "Albums" && error?.properties == ["Marks"], "\(text)")
                #expect(try world.row("Albums", .integer(2)) == #"2|T2|[{"Text":"a \"q\"","Weight":-1}]|[]"#)
            }
        },
    ]
}
