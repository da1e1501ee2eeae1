// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct PlanReaderTests {
    private static let schema = """
        CREATE TABLE orders(id INTEGER PRIMARY KEY, at DATETIME);
        INSERT INTO orders VALUES (1, '2024-01-01 10:00:00'), (2, NULL), (3, '2024-01-02 00:00:00');
        """

    @Test func `a value that does not fit ends the read with its place`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        try scratch.run("UPDATE orders SET at = 'soon' WHERE id = 3")
        let error = #expect(throws: StorageError.self) {
            try store.read { try $0.read(ReadPlan(model: store.model, set: set), into: RowRecorder()) }
        }
        #expect(error?.code == .unreadableValue)
        #expect(error?.set == "orders")
        #expect(error?.properties == ["at"])
    }
}
