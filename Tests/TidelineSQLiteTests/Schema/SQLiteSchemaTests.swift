// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
@testable import TidelineSQLite

/// Tables that are made from a model: a scan of them gives the model again.
struct SQLiteSchemaTests {
    @Test func `what was made is found again`() throws {
        let scratch = try Scratch("")
        let path = scratch.path + ".made"
        let model = SQLiteSchema.prepared(Self.model)
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
        #expect(Self.lines(found) == Self.lines(model))
    }

    @Test func `the tables refuse what the model refuses`() throws {
        let set = try #require(Self.model[set: "Orders"])
        let model = SQLiteSchema.prepared(Self.model)
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
        var model = SQLiteSchema.prepared(Self.model)
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

    /// A model with all that tables can say.
    static var model: EntityModel {
        func property(_ wire: String, _ type: PrimitiveType, isNullable: Bool = true) -> Property {
            Property(names: Names(wire: wire), type: type, isNullable: isNullable)
        }
        var name = property("Name", .string, isNullable: false)
        name.maxLength = 80
        let clients = EntitySet(
            names: Names(wire: "Clients"),
            type: EntityType(
                names: Names(wire: "Client"),
                properties: [
                    property("Id", .guid, isNullable: false), name, property("Photo", .binary),
                    property("Weight", .double),
                ],
                key: [0]
            )
        )
        var id = property("OrderId", .int32, isNullable: false)
        id.generation = .onInsert
        var number = property("Number", .string, isNullable: false)
        number.maxLength = 10
        var total = property("Total", .decimal, isNullable: false)
        (total.precision, total.scale, total.defaultValue) = (10, 2, .decimal(EdmDecimal(coefficient: 150, scale: 2)))
        var exact = property("Exact", .decimal)
        (exact.precision, exact.scale) = (30, 10)
        var count = property("Count", .int32, isNullable: false)
        (count.minimum, count.maximum, count.defaultValue) = (.integer(1), .integer(99), .integer(1))
        var placed = property("Placed", .dateTimeOffset)
        placed.precision = 0
        var at = property("At", .timeOfDay)
        at.precision = 0
        var open = property("Open", .boolean, isNullable: false)
        open.defaultValue = .boolean(true)
        let orders = EntitySet(
            names: Names(wire: "Orders"),
            type: EntityType(
                names: Names(wire: "Order"),
                properties: [
                    id, number, total, exact, count, placed, property("Day", .date), at, open,
                    property("ClientId", .guid, isNullable: false), property("ParentId", .int32),
                    property("Small", .int16), property("Big", .int64),
                ],
                key: [0],
                uniqueKeys: [[1]],
                navigationProperties: [
                    reference("Client", to: "Clients", from: 9, .cascade),
                    reference("Parent", to: "Orders", from: 10, .setNull),
                ]
            )
        )
        let lines = EntitySet(
            names: Names(wire: "Lines"),
            type: EntityType(
                names: Names(wire: "Line"),
                properties: [
                    property("OrderId", .int32, isNullable: false), property("Place", .int16, isNullable: false),
                    property("Note", .string),
                ],
                key: [0, 1],
                navigationProperties: [reference("Order", to: "Orders", from: 0, .cascade)]
            )
        )
        return EntityModel(namespace: "Shop", sets: [clients, lines, orders])
    }

    private static func reference(
        _ wire: String,
        to set: String,
        from source: Int,
        _ rule: NavigationProperty.DeleteRule
    ) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: wire),
            targetSet: set,
            isCollection: false,
            isDependent: true,
            constraints: [.init(source: source, target: 0)],
            onDelete: rule
        )
    }

    /// What a table can say of a model, a line each; the names of relationships are no part of it.
    static func lines(_ model: EntityModel) -> [String] {
        model.sets.sorted { $0.names.wire < $1.names.wire }.flatMap { set -> [String] in
            let type = set.type
            let properties = type.properties.map { property in
                "\(set.names.wire).\(property.names.wire) \(property.type.rawValue) \(property.isNullable) "
                    + "\(property.maxLength ?? -1) \(property.precision ?? -1) \(property.scale ?? -1) \(property.storage.rawValue) "
                    + "\(property.defaultValue?.text ?? "-") \(property.generation.rawValue) "
                    + "\(property.minimum?.text ?? "-") \(property.maximum?.text ?? "-")"
            }
            let references = type.navigationProperties.filter(\.isDependent).map { navigation in
                "\(set.names.wire) \(navigation.constraints.map(\.source)) to \(navigation.targetSet) "
                    + "\(navigation.constraints.map(\.target)) \(navigation.onDelete.rawValue)"
            }
            return ["\(set.names.wire) key \(type.key) unique \(type.uniqueKeys)"] + properties + references.sorted()
        }
    }
}
