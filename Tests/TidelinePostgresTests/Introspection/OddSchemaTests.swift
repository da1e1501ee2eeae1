// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelinePostgres
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

/// What PostgreSQL has and other databases have not: published, or left out with a word.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct OddSchemaTests {
    private static let schema = """
        CREATE TYPE address AS (street text, zip int, "since" date);
        COMMENT ON TYPE address IS 'Where one lives';
        CREATE TYPE strange AS ("two words" text);
        CREATE TYPE timed AS (at timestamptz);
        CREATE TYPE span AS RANGE (subtype = int4);
        CREATE DOMAIN positive AS int CHECK (VALUE > 0);
        CREATE SEQUENCE numbers START 100;
        CREATE TABLE odd (
            id int DEFAULT nextval('numbers') PRIMARY KEY,
            home address, others address[], odd strange, timed timed, price money, tags text[], days daterange,
            own span, words tsvector, spot point, net inet, bits bit(3), doc xml, count positive NOT NULL, blobs bytea[],
            CHECK (count < 1000));
        COMMENT ON TABLE odd IS 'Odd things'; COMMENT ON COLUMN odd.price IS 'In euros';
        CREATE TABLE named(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, odd_id int REFERENCES odd, note text);
        CREATE MATERIALIZED VIEW totals AS SELECT id, count::bigint AS n FROM odd;
        CREATE VIEW plain AS SELECT 1 AS one;
        INSERT INTO odd(home, price, tags, days, own, spot, net, bits, doc, count) VALUES
            (ROW('Main', 12345, '2024-02-29'), '12.30'::numeric::money, '{a,NULL}', '[2024-01-01,2024-02-01)', '[1,5)',
            '(1,2)', '10.0.0.1', '101', '<a/>', 7);
        REFRESH MATERIALIZED VIEW totals;
        """

    private func publish() throws -> (found: Introspection, store: PostgresStore, conninfo: String) {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let found = try PostgresPublisher.publish(
            conninfo: conninfo,
            namespace: "Test",
            viewKeys: ["totals": ["id"]]
        ) { _ in }
        return (found, try PostgresStore(conninfo: conninfo, model: found.model), conninfo)
    }

    /// A decimal without its last zeros.
    private func decimal(_ value: Value?) -> String? {
        if case .decimal(let number)? = value { number.normalized.text } else { nil }
    }

    @Test func `every column is published or left out with a word`() throws {
        let found = try publish().found
        let type = try #require(found.model[set: "odd"]?.type)
        #expect(
            type.properties.map(\.names.wire) == [
                "id", "home", "price", "tags", "days", "own", "spot", "net", "bits", "doc", "count",
            ]
        )
        let notes = found.problems.filter { !$0.isRefusal }.map(\.message)
        let none = "which OData does not have; it is left out."
        let text = { (type: String) in "is published as a string, as PostgreSQL writes \(type)." }
        #expect(
            notes == [
                "odd: the column others is of the type address[], \(none)",
                "odd: the column odd is of the type strange, \(none)",
                "odd: the column timed is of the type timed, \(none)",
                "odd: the column price is money: a number with 2 digits after the point, as the database's locale has it.",
                "odd: the column days \(text("daterange"))",
                "odd: the column own \(text("span"))",
                "odd: the column words is of the type tsvector, \(none)",
                "odd: the column spot \(text("point"))",
                "odd: the column net \(text("inet"))",
                "odd: the column bits \(text("bit"))",
                "odd: the column doc \(text("xml"))",
                "odd: the column blobs is of the type bytea[], \(none)",
                "odd: by its CHECK the column count is at most 999.",
            ]
        )
        // The functions that come with a range type are no operations.
        #expect(found.model.operations.isEmpty)
        #expect(found.refusals.map(\.table) == ["plain"])
        #expect(found.refusals.allSatisfy { !$0.stopsPublishing && $0.message.contains("--key plain=") })
    }

    @Test func `types, keys and comments are those of the database`() throws {
        let model = try publish().found.model
        let type = try #require(model[set: "odd"]?.type)
        #expect(type.description == "Odd things")
        #expect(type.properties[2].description == "In euros")
        #expect((type.properties[2].type, type.properties[2].precision, type.properties[2].scale) == (.decimal, 19, 2))
        #expect(type.properties[0].generation == .onInsert)
        #expect((type.properties[10].type, type.properties[10].isNullable) == (.int32, false))
        #expect(type.properties[1].structure == .complex("address"))
        let address = try #require(model.complexTypes.first)
        #expect(model.complexTypes.map(\.names.wire) == ["address"])
        #expect(address.description == "Where one lives")
        #expect(address.properties.map(\.names.wire) == ["street", "zip", "since"])
        #expect(address.properties.map(\.type) == [.string, .int32, .date])
        let named = try #require(model[set: "named"])
        #expect(named.type.properties[0].generation == .onInsert)
        #expect(named.type.navigationProperties.map(\.targetSet) == ["odd"])
        let totals = try #require(model[set: "totals"])
        #expect(totals.isReadOnly)
        #expect(totals.type.properties.map(\.type) == [.int32, .int64])
    }

    @Test func `values are read, filtered, changed and told as changed`() throws {
        let (found, store, conninfo) = try publish()
        let set = try #require(found.model[set: "odd"])
        let key = Key([.integer(100)])
        let entity = try #require(try store.read { try $0.entity(key, in: set) })
        #expect(entity.values[1] == .string(#"{"street":"Main","zip":12345,"since":"2024-02-29"}"#))
        #expect(decimal(entity.values[2]) == "12.3")
        #expect(entity.values[3] == .string(#"["a",null]"#))
        #expect(
            entity.values[4...9].map { $0.text ?? "" } == [
                "[2024-01-01,2024-02-01)", "[1,5)", "(1,2)", "10.0.0.1/32", "101", "<a/>",
            ]
        )
        let start = try store.read { try $0.position() }
        let street = { (name: String) throws in
            try ExpressionChecker(model: found.model, set: set)
                .condition(.binary(.equal, .path(["home", "street"]), .literal(.string(name))))
        }
        #expect(try store.read { try $0.satisfies(street("Main"), key: key, in: set, user: .anonymous) })
        try store.write { writer throws in
            let home = Value.string(#"{"street":"Side \"1\"","zip":null}"#)
            let price = Value.decimal(try #require(EdmDecimal("-1.05")))
            #expect(try writer.update(key, [1: home, 2: price], in: set))
            let new = try writer.insert([1: .null, 10: .integer(1)], into: set)
            #expect(new == Key([.integer(101)]))
        }
        let changed = try #require(try store.read { try $0.entity(key, in: set) })
        #expect(changed.values[1] == .string(#"{"street":"Side \"1\"","zip":null,"since":null}"#))
        #expect(decimal(changed.values[2]) == "-1.05")
        let cluster = try PostgresCluster.shared()
        let row = try cluster.run(
            "SELECT (home).street, (home).zip IS NULL, price::numeric FROM odd WHERE id = 100",
            database: cluster.name(of: conninfo)
        )
        #expect(row == "Side \"1\"|t|-1.05\n")
        var told: [ChangedKey] = []
        try store.read { reader in
            told = []
            try reader.changes(ChangeQuery(set: set, since: start)) { told.append($0) }
        }
        #expect(told.map(\.key) == [key, Key([.integer(101)])])
        #expect(decimal(told[0].before?[2]) == "12.3")
        let error = #expect(throws: StorageError.self) {
            try store.write { try $0.update(key, [10: .integer(-1)], in: set) }
        }
        #expect(error?.code == .constraint)
    }

    @Test func `arrays of arrays are counted and refused`() throws {
        let found = try PostgresIntrospection.scan(
            conninfo: PostgresCluster.shared().makeDatabase(
                "CREATE TABLE g(id int PRIMARY KEY, grid int[]); INSERT INTO g VALUES (1, '{{1,2},{3,4}}'), (2, '{5}')"
            ),
            namespace: "Test"
        )
        #expect(
            found.refusals.map(\.message) == [
                "g: the column grid holds 1 arrays of arrays, which OData does not have; "
                    + "make its values agree, then publish again."
            ]
        )
    }
}
