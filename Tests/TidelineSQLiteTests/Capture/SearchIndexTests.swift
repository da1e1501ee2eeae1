// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct SearchIndexTests {
    private static let schema = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body TEXT, code TEXT UNIQUE);
        CREATE TABLE tags(name TEXT PRIMARY KEY, note TEXT);
        INSERT INTO notes VALUES (1, 'Red bike', 'fast and new', 'a'), (2, 'Boat', 'a red one', 'b'), (3, NULL, NULL, 'c');
        INSERT INTO tags VALUES ('x', 'red thing'), ('y', 'blue');
        """

    /// The model with words searched in both tables.
    private static func searching(_ model: EntityModel, notes: [Int] = [1, 2], byWords: Bool = true) -> EntityModel {
        model.searching(["notes": notes, "tags": [1]], byWords: byWords)
    }

    @Test func `an index is made, filled and used; a table without a rowid of its own is looked through`() throws {
        let scratch = try Scratch(Self.schema)
        let model = Self.searching(try scratch.publish().model)
        let store = try SQLiteStore(path: scratch.path, model: model)
        #expect(
            try scratch.rows("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'") == [
                "tideline_search_notes"
            ]
        )
        #expect(try store.keys(of: "notes", matching: .word("red")) == ["1", "2"])
        #expect(try store.keys(of: "notes", matching: .phrase("bike fast")) == [])
        #expect(try store.keys(of: "tags", matching: .word("red")) == ["x"])
        // What the index says is what counts.
        try scratch.run("DELETE FROM tideline_search_notes WHERE rowid = 2")
        #expect(try store.keys(of: "notes", matching: .word("red")) == ["1"])
    }

    @Test func `REPLACE and VACUUM leave no wrong entry`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try SQLiteStore(path: scratch.path, model: Self.searching(try scratch.publish().model))
        try scratch.run("INSERT OR REPLACE INTO notes VALUES (4, 'Green bike', '', 'a')")
        #expect(try store.keys(of: "notes", matching: .word("bike")) == ["4"])
        try scratch.run("INSERT INTO notes VALUES (1, 'Plain', 'car', 'z'); VACUUM")
        #expect(try store.keys(of: "notes", matching: .word("bike")) == ["4"])
        #expect(try store.keys(of: "notes", matching: .word("car")) == ["1"])
    }

    @Test(arguments: [["update"], ["insert", "update", "delete", ""]])
    func `what was lost is made again`(losses: [String]) throws {
        let scratch = try Scratch(Self.schema)
        let store = try SQLiteStore(path: scratch.path, model: Self.searching(try scratch.publish().model))
        let position = try store.position()
        for loss in losses {
            try scratch.run(
                loss.isEmpty ? "DROP TABLE tideline_search_notes" : "DROP TRIGGER tideline_found_\(loss)_notes"
            )
        }
        try scratch.run("UPDATE notes SET title = 'Yacht' WHERE id = 2")
        #expect(try store.keys(of: "notes", matching: .word("yacht")) == ["2"])
        #expect(try store.keys(of: "notes", matching: .word("boat")) == [])
        // The change log lost nothing, so devices go on from where they are.
        #expect(try store.changes("notes", since: position).count == 1)
    }

    @Test func `another model has other indexes, and unpublishing leaves none`() throws {
        let scratch = try Scratch(Self.schema)
        let before = try scratch.schema()
        let model = try scratch.publish().model
        try SQLiteStore(path: scratch.path, model: Self.searching(model)).close()
        let store = try SQLiteStore(path: scratch.path, model: Self.searching(model, notes: [2]))
        #expect(try store.keys(of: "notes", matching: .word("red")) == ["2"])
        try store.close()
        let last = try SQLiteStore(path: scratch.path, model: Self.searching(model, notes: [2], byWords: false))
        #expect(try scratch.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'tideline_search%'") == [])
        // Parts of words are found again.
        #expect(try last.keys(of: "notes", matching: .word("re")) == ["2"])
        try last.close()
        try SQLiteStore(path: scratch.path, model: Self.searching(model)).close()
        try SQLitePublisher.unpublish(path: scratch.path)
        #expect(try scratch.schema() == before)
        #expect(try scratch.rows("PRAGMA integrity_check") == ["ok"])
    }

    /// Every letter of Unicode 6.1 and before is one to both tokenizers, and folded to the same.
    @Test func `words are those of SQLite's own tokenizer`() throws {
        let scratch = try Scratch(
            "CREATE VIRTUAL TABLE f USING fts5(a, tokenize = 'unicode61 remove_diacritics 2');"
                + "CREATE VIRTUAL TABLE v USING fts5vocab(f, 'instance');"
        )
        let scalars = (1...0xFFFF).compactMap { Unicode.Scalar(UInt32($0)) }.filter { scalar in
            scalar.properties.age.map { ($0.major, $0.minor) <= (6, 1) } ?? false
        }
        try scratch.run(
            "BEGIN;"
                + scalars.map { "INSERT INTO f(rowid, a) VALUES (\($0.value), 'x' || char(\($0.value)) || 'y');" }
                .joined()
                + "COMMIT;"
        )
        var terms: [Int: [String]] = [:]
        for row in try scratch.rows("SELECT doc, term FROM v ORDER BY doc, offset") {
            let parts = row.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            terms[Int(parts[0]) ?? 0, default: []].append(String(parts[1]))
        }
        // Scalar by scalar: texts are equal that are so canonically, and these may not be.
        let different = scalars.filter { scalar in
            let own = SearchWords.words("x\(scalar)y").map { Array($0.unicodeScalars) }
            return own != (terms[Int(scalar.value)] ?? []).map { Array($0.unicodeScalars) }
        }
        // Of another category since 6.1, or no character at all.
        let moved: [ClosedRange<UInt32>] = [0x1885...0x1886, 0x19B0...0x19C9, 0x1CF2...0x1CF3, 0xFDD0...0xFDEF]
        let isExpected = { (scalar: Unicode.Scalar) in
            (0x13A0...0x13F5).contains(scalar.value) || "Ǡǡẛẞ".unicodeScalars.contains(scalar)
                || moved.contains { $0.contains(scalar.value) } || scalar.value & 0xFFFE == 0xFFFE
        }
        #expect(different.filter { !isExpected($0) }.map { String($0.value, radix: 16) } == [])
    }
}
