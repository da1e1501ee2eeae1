// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelinePostgres
import TidelineStorage
import TidelineTestSupport

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PostgresIntrospectionTests {
    private func scan(
        _ sql: String,
        schema: String = "public",
        viewKeys: [String: [String]] = [:]
    ) throws -> Introspection {
        try PostgresIntrospection.scan(
            conninfo: PostgresCluster.shared().makeDatabase(sql),
            schema: schema,
            namespace: "Test",
            viewKeys: viewKeys
        )
    }

    /// `Int32 nullable`, `Decimal(10,2)`, and what else is not usual.
    private func words(_ property: Property) -> String {
        var text = String(property.type.rawValue.dropFirst(4))
        if let length = property.maxLength { text += "(\(length))" }
        if let precision = property.precision { text += "(\(precision)\(property.scale.map { ",\($0)" } ?? ""))" }
        if property.isNullable { text += " null" }
        if let value = property.defaultValue { text += " = \(value.text ?? "null")" }
        if property.generation != .none { text += " \(property.generation.rawValue)" }
        if let enumeration = property.enumeration { text += " of \(enumeration)" }
        if property.structure != nil { text += " many" }
        return text
    }

    @Test func `columns have the types and facets that the catalog tells`() throws {
        let found = try scan(
            """
            CREATE TYPE mood AS ENUM ('sad', 'ok');
            CREATE DOMAIN price AS numeric(10,2) NOT NULL DEFAULT 1.50;
            CREATE DOMAIN dear AS price;
            CREATE TABLE t(id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, s serial, b boolean DEFAULT true,
                i2 smallint, i4 int NOT NULL DEFAULT '-7', f real, d double precision, n numeric, p dear,
                t text DEFAULT 'it''s', v varchar(20), u uuid DEFAULT gen_random_uuid(), y bytea,
                dt date DEFAULT '2024-02-29', tm time(3), ts timestamp(0), tz timestamptz DEFAULT now(), iv interval,
                m mood NOT NULL DEFAULT 'ok', a text[], g int GENERATED ALWAYS AS (i4 + 1) STORED, j jsonb);
            COMMENT ON TABLE t IS 'All types'; COMMENT ON COLUMN t.v IS 'A short text';
            """
        )
        let type = try #require(found.model[set: "t"]?.type)
        let told = type.properties.map { "\($0.names.wire): \(words($0))" }
        #expect(
            told == [
                "id: Int64 on-insert", "s: Int32 on-insert", "b: Boolean null = true", "i2: Int16 null",
                "i4: Int32 = -7", "f: Single null", "d: Double null", "n: Decimal null", "p: Decimal(10,2) = 1.5",
                "t: String null = it's", "v: String(20) null", "u: Guid null on-insert", "y: Binary null",
                "dt: Date null = 2024-02-29", "tm: TimeOfDay(3) null", "ts: DateTimeOffset(0) null",
                "tz: DateTimeOffset(6) null on-insert", "iv: Duration(6) null", "m: Int32 = 1 of mood",
                "a: String null many", "g: Int32 null always", "j: String null",
            ]
        )
        #expect(type.description == "All types")
        #expect(type.properties[10].description == "A short text")
        #expect(found.model[enumeration: "mood"]?.members.map(\.name) == ["sad", "ok"])
        #expect(found.refusals.isEmpty)
    }

    @Test(.covers("DA-22")) func `keys, unique keys and foreign keys become keys and navigation properties`() throws {
        let found = try scan(
            """
            CREATE TABLE customers(code text NOT NULL UNIQUE, name text, email text UNIQUE);
            CREATE TABLE orders(id int PRIMARY KEY, customer_code text NOT NULL REFERENCES customers(code) ON DELETE CASCADE,
                note text);
            CREATE UNIQUE INDEX ON orders(note) WHERE note <> ''; CREATE UNIQUE INDEX ON orders(lower(note));
            """
        )
        let customers = try #require(found.model[set: "customers"]?.type)
        let orders = try #require(found.model[set: "orders"]?.type)
        #expect(customers.key == [0])
        #expect(customers.uniqueKeys == [[2]])
        #expect(orders.uniqueKeys == [])
        let navigation = try #require(orders.navigationProperties.first)
        #expect(navigation.targetSet == "customers")
        #expect(navigation.onDelete == .cascade)
        #expect(!navigation.isNullable)
        #expect(customers.navigationProperties.map(\.names.wire) == ["orders"])
    }

    @Test func `views want their key, and what cannot be captured is left out`() throws {
        let found = try scan(
            """
            CREATE TABLE t(id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 1), (2, 1);
            CREATE VIEW good AS SELECT * FROM t; CREATE VIEW bad AS SELECT * FROM t; CREATE VIEW plain AS SELECT * FROM t;
            CREATE MATERIALIZED VIEW kept AS SELECT * FROM t;
            CREATE UNLOGGED TABLE loose(id int PRIMARY KEY);
            CREATE TABLE "a.b"(id int PRIMARY KEY); CREATE TABLE "a""b"(id int PRIMARY KEY);
            CREATE TABLE parent(id int PRIMARY KEY); CREATE TABLE child(id2 int PRIMARY KEY) INHERITS (parent);
            CREATE TABLE keyless(a int); CREATE TYPE pair AS (a int, b int); CREATE TABLE odd(id int PRIMARY KEY, at inet, words tsvector, two pair);
            """,
            viewKeys: ["good": ["id"], "bad": ["n"], "kept": ["id"]]
        )
        #expect(found.model.sets.map(\.names.wire) == ["child", "good", "kept", "odd", "t"])
        #expect(found.model.sets.filter(\.isReadOnly).map(\.names.wire) == ["good", "kept"])
        #expect(Set(found.refusals.map(\.table)) == ["bad", "plain", "loose", "parent", "keyless", "a.b", "a\"b"])
        #expect(Set(found.refusals.filter(\.stopsPublishing).map(\.table)) == ["bad", "keyless"])
        #expect(found.model[set: "odd"]?.type.properties.map(\.names.wire) == ["id", "at", "two"])
    }

    @Test func `values that OData cannot say are counted and refused`() throws {
        let found = try scan(
            """
            CREATE TABLE a(id int PRIMARY KEY, n numeric); INSERT INTO a VALUES (1, 'NaN'), (2, 1);
            CREATE TABLE b(id int PRIMARY KEY, d timestamptz); INSERT INTO b VALUES (1, 'infinity'), (2, '-infinity');
            CREATE TABLE c(id int PRIMARY KEY, i interval); INSERT INTO c VALUES (1, '1 month'), (2, '1 day');
            """
        )
        #expect(
            found.refusals.map(\.message) == [
                "a: the column n holds 1 numbers of more than 38 digits, or none at all; make its values agree, then publish again.",
                "b: the column d holds 2 moments outside the years 1 to 9999; make its values agree, then publish again.",
                "c: the column i holds 1 intervals of months or years, which have no length; make its values agree, then publish again.",
            ]
        )
    }

    @Test func `one schema is looked at, and names become identifiers`() throws {
        let found = try scan(
            """
            CREATE SCHEMA "my shop"; CREATE TABLE public.other(id int PRIMARY KEY);
            CREATE TABLE "my shop"."order items"("item no" int PRIMARY KEY, "2nd" text);
            """,
            schema: "my shop"
        )
        #expect(found.model.sets.map(\.names.wire) == ["order_items"])
        #expect(found.model.sets.map(\.names.database) == ["order items"])
        #expect(found.model.sets[0].type.properties.map(\.names.wire) == ["item_no", "_2nd"])
    }
}

/// What CHECK constraints and names say, as PostgreSQL tells them.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PostgresGuessTests {
    private func scan(_ sql: String, _ guesses: Set<Guess> = []) throws -> Introspection {
        try PostgresIntrospection.scan(
            conninfo: PostgresCluster.shared().makeDatabase(sql),
            namespace: "Test",
            guesses: guesses
        )
    }

    @Test func `constraints are rules, enumerations and singletons`() throws {
        let found = try scan(
            """
            CREATE TABLE t(id int PRIMARY KEY CHECK (id = 1), a text DEFAULT 'y' CHECK (a IN ('x', 'y')),
                b varchar(9) CHECK (b IN ('p', 'q r')), n int CHECK (n >= 0 AND n < 10), m int CHECK (m IN (2, 4)),
                l text CHECK (length(l) <= 5), k int CHECK (k IS NULL OR k BETWEEN -3 AND 3),
                c character varying(5) CHECK (c = ANY (ARRAY['u', 'v'])), z int CHECK (z <> 3));
            """
        )
        let properties = try #require(found.model[set: "t"]?.type.properties)
        #expect(properties[1].enumeration == "A" && properties[1].defaultValue == .integer(1))
        #expect(properties[2].allowedValues == [.string("p"), .string("q r")])
        #expect(properties[3].minimum == .integer(0) && properties[3].maximum == .integer(9))
        #expect(properties[4].allowedValues == [.integer(2), .integer(4)])
        #expect(properties[5].maxLength == 5)
        #expect(properties[6].minimum == .integer(-3) && properties[6].maximum == .integer(3))
        #expect(properties[7].enumeration == "C")
        #expect(properties[8].minimum == nil && properties[8].allowedValues.isEmpty)
        #expect(found.model.enumerations.map { $0.members.map(\.name) } == [["x", "y"], ["u", "v"]])
        #expect(found.model.singletons.map(\.key) == [Key([.integer(1)])])
    }

    @Test func `what is doubtful is told, and decided where it is asked for`() throws {
        let sql = """
            CREATE TABLE posts(id int PRIMARY KEY, ship_street text, ship_city text, ship_zip text, tags jsonb,
                version int NOT NULL DEFAULT 0, kind text NOT NULL CHECK (kind IN ('thing', 'bike')), gears int,
                CHECK (kind = 'bike' OR gears IS NULL));
            CREATE FUNCTION bump() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.version := OLD.version + 1; RETURN NEW; END $$;
            CREATE TRIGGER bump BEFORE UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION bump();
            CREATE TABLE post_words(post_id int NOT NULL REFERENCES posts(id), pos int NOT NULL, word text NOT NULL,
                PRIMARY KEY (post_id, pos));
            INSERT INTO posts VALUES (1, 'a', 'b', 'c', '[1, 2]', 0, 'bike', 3);
            """
        #expect(try Set(scan(sql).hints.compactMap(\.guess)) == Set(Guess.allCases))
        let found = try scan(sql, Set(Guess.allCases))
        let type = try #require(found.model[set: "posts"]?.type)
        #expect(found.hints.isEmpty && found.model.sets.count == 1)
        #expect(type.complexProperties.map(\.names.wire) == ["ship"])
        #expect(type.properties[4].structure == .collection(of: .primitive(.double)))
        #expect(type.version == 5 && type.derivedTypes.map(\.names.wire) == ["Bike"])
        #expect(type.properties.last?.items?.name == "post_words")
    }
}
