// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct PlanReaderTests {
    private static let schema = """
        CREATE TABLE orders(id INTEGER PRIMARY KEY, at DATETIME, code INT UNIQUE);
        INSERT INTO orders VALUES (1, '2024-01-01 10:00:00', 7), (2, NULL, NULL), (3, '2024-01-02 00:00:00', 9);
        CREATE TABLE parts(code INT NOT NULL PRIMARY KEY, of INT REFERENCES orders(code));
        INSERT INTO parts VALUES (5, 7), (6, 9);
        """

    private func lines(_ plan: ReadPlan, _ store: SQLiteStore) throws -> RowRecorder {
        let recorder = RowRecorder()
        _ = try store.read { try $0.read(plan, into: recorder) }
        return recorder
    }

    @Test(arguments: [("'soon'", "soon"), ("7.5", "7.5"), ("x'00'", "")])
    func `a value that is none of its type is told as an exception, and all others go on`(
        stored: String,
        held: String
    ) throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        let before = try lines(ReadPlan(model: store.model, set: set), store)
        try scratch.run("UPDATE orders SET at = \(stored) WHERE id = 3")
        let all = try lines(ReadPlan(model: store.model, set: set), store)
        #expect(all.lines == ["1|2024-01-01T10:00:00Z|7", "2|null|null", "3|!\(held)|9"])
        let entity = try #require(try store.read { try $0.entity(Key([.integer(3)]), in: set) })
        #expect(entity.values == [.integer(3), .null, .integer(9)])
        // The version is another than before, and the same whatever was read.
        #expect(all.etags == [before.etags[0], before.etags[1], entity.etag])
        #expect(entity.etag != before.etags[2])
        var plan = ReadPlan(model: store.model, set: set)
        plan.columns = [0]
        plan.includesETag = true
        #expect(try lines(plan, store).etags == all.etags)
    }

    @Test func `a key that is none of its type ends the read with its place`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let set = try #require(store.model[set: "parts"])
        try scratch.run("UPDATE parts SET code = 'six' WHERE code = 6")
        let error = #expect(throws: StorageError.self) {
            try store.read { try $0.read(ReadPlan(model: store.model, set: set), into: RowRecorder()) }
        }
        #expect(error?.code == .unreadableValue)
        #expect(error?.set == "parts")
        #expect(error?.properties == ["code"])
    }
}
