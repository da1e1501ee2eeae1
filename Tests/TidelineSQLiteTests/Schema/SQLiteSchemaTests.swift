// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStorageTesting
@testable import TidelineSQLite

/// Tables that are made from a model: a scan of them gives the model again.
struct SQLiteSchemaTests {
    @Test func `what was made is found again`() throws {
        let scratch = try Scratch("")
        let path = scratch.path + ".made"
        let model = SQLiteSchema.prepared(TableModel.model)
        try SQLiteSchema.createFile(model, path: path)
        let store = try SQLiteStore(path: path, model: model, options: .untracked)
        let clients = try #require(model[set: "Clients"])
        let orders = try #require(model[set: "Orders"])
        try store.write { writer in
            _ = try writer.insert([0: .guid(GUID(high: 1, low: 2)), 1: .string("Ann")], into: clients)
            let values: [Int: Value] = [
                1: .string("N1"), 3: .decimal(EdmDecimal(coefficient: 12_345_678_901_234_567_891, scale: 10)),
                5: .dateTimeOffset(DateTimeOffset(seconds: 1_750_000_000)),
                6: Value(text: "2026-01-02", as: .date) ?? .null,
                7: Value(text: "03:04:05", as: .timeOfDay) ?? .null, 9: .guid(GUID(high: 1, low: 2)),
            ]
            let key = try writer.insert(values, into: orders)
            #expect(key == Key([.integer(1)]))
            let row = try #require(try writer.entity(key, in: orders)).values
            #expect(row[2] == .decimal(EdmDecimal(coefficient: 150, scale: 2)))
            #expect(row[3] == .decimal(EdmDecimal(coefficient: 12_345_678_901_234_567_891, scale: 10)))
            #expect(row[8] == .boolean(true))
        }
        let found = try SQLiteIntrospection.scan(path: path, namespace: "Shop").model
        #expect(TableModel.lines(found) == TableModel.lines(model))
    }

    @Test func `the tables refuse what the model refuses`() throws {
        let set = try #require(TableModel.model[set: "Orders"])
        let model = SQLiteSchema.prepared(TableModel.model)
        let sql = SQLiteSchema.createTable(try #require(model[set: "Orders"]), in: model)
        #expect(set.type.properties.count == 13)
        for line in [
            #""OrderId" INTEGER PRIMARY KEY AUTOINCREMENT"#, #""Number" VARCHAR(10) NOT NULL"#,
            #""Total" DECIMAL(10,2) NOT NULL DEFAULT 1.5"#, #""Exact" DECIMAL_TEXT(30,10)"#,
            #""Open" BOOLEAN NOT NULL DEFAULT 1"#, #"UNIQUE ("Number")"#,
            #"FOREIGN KEY ("ClientId") REFERENCES "Clients" ("Id") ON DELETE CASCADE"#,
            #"FOREIGN KEY ("ParentId") REFERENCES "Orders" ("OrderId") ON DELETE SET NULL"#,
            #"CHECK (length("Number") <= 10)"#, #"CHECK ("Count" >= 1)"#, #"CHECK ("Count" <= 99)"#,
        ] {
            #expect(sql.contains("    " + line), "\(line)\n\(sql)")
        }
        #expect(
            TableConstraints(of: try #require(model[set: "Orders"]), in: model).indexes() == [
                #"CREATE INDEX "Orders_ClientId" ON "Orders" ("ClientId")"#,
                #"CREATE INDEX "Orders_ParentId" ON "Orders" ("ParentId")"#,
            ]
        )
        // The key begins with the reference: no index of its own.
        #expect(TableConstraints(of: try #require(model[set: "Lines"]), in: model).indexes() == [])
    }

    @Test func `a limit or a default that no literal can say is no part of the table`() throws {
        var model = SQLiteSchema.prepared(TableModel.model)
        var sets = model.sets
        for (limit, text) in [(Double.infinity, nil), (.nan, nil), (2.5, "2.5")] as [(Double, String?)] {
            sets[0].type.properties[3].defaultValue = .double(limit)
            sets[0].type.properties[3].minimum = .double(limit)
            model = model.replacing(sets: sets)
            let sql = SQLiteSchema.createTable(model.sets[0], in: model)
            #expect(sql.contains("    \"Weight\" DOUBLE\(text.map { " DEFAULT \($0)" } ?? ""),\n"), "\(sql)")
            #expect(sql.contains(#"CHECK ("Weight" >="#) == (text != nil), "\(sql)")
        }
    }
}
