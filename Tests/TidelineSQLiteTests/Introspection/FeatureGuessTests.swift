// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineSQLite

/// What a scan makes of names and constraints: features of the model, or hints of them.
struct FeatureGuessTests {
    private func scan(_ sql: String, _ guesses: Set<Guess> = []) throws -> Introspection {
        let scratch = try Scratch(sql)
        defer { withExtendedLifetime(scratch) {} }
        return try SQLiteIntrospection.scan(path: scratch.path, namespace: "Test", guesses: guesses)
    }

    @Test(
        arguments: [
            ("status TEXT CHECK (status IN ('new', 'paid'))", ["new", "paid"]),
            ("status TEXT CHECK (status IS NULL OR status IN ('new','paid'))", ["new", "paid"]),
            ("status TEXT CHECK (status IN ('new', 'paid') AND status IN ('paid', 'new', 'old'))", ["new", "paid"]),
            ("status TEXT DEFAULT 'paid' CHECK (\"status\" in ('new', 'paid'))", ["new", "paid"]),
            ("status TEXT CHECK (status IN ('brand new', 'paid'))", nil),
            ("status TEXT CHECK (status IN ('new'))", nil),
            ("status TEXT CHECK (status NOT IN ('new', 'paid'))", nil),
            ("status TEXT CHECK (status IN ('new', 'paid') OR id > 5)", nil),
            ("status TEXT CHECK (lower(status) IN ('new', 'paid'))", nil),
            ("status INT CHECK (status IN (1, 2))", nil),
        ] as [(String, [String]?)]
    )
    func `a CHECK that lists names makes an enumeration, any other does not`(column: String, members: [String]?) throws
    {
        let found = try scan("CREATE TABLE t(id INTEGER PRIMARY KEY, \(column));")
        #expect(found.model.enumerations.first?.members.map(\.name) == members)
        let property = try #require(found.model[set: "t"]?.type.properties.last)
        #expect(property.enumeration == (members == nil ? nil : "Status"))
        #expect((property.storage == .memberName) == (members != nil))
        if column.contains("DEFAULT") { #expect(property.defaultValue == .integer(1)) }
    }

    @Test func `values that a CHECK did not see keep a column from being an enumeration`() throws {
        let found = try scan(
            """
            PRAGMA ignore_check_constraints = ON;
            CREATE TABLE t(id INTEGER PRIMARY KEY, status TEXT CHECK (status IN ('new', 'paid')));
            INSERT INTO t VALUES (1, 'odd');
            """
        )
        #expect(found.model.enumerations.isEmpty)
        #expect(found.model[set: "t"]?.type.properties.last?.type == .string)
    }

    @Test func `lists of other values are rules, and 0 and 1 are truth`() throws {
        let found = try scan(
            """
            CREATE TABLE t(id INTEGER PRIMARY KEY, size TEXT CHECK (size IN ('S/M', 'L')), grade INT CHECK (grade IN (1, 2, 3)),
                done INTEGER NOT NULL DEFAULT 1 CHECK (done IN (0, 1)), flag INT CHECK (flag IN (0, 2)));
            """
        )
        let properties = try #require(found.model[set: "t"]?.type.properties)
        #expect(properties[1].allowedValues == [.string("S/M"), .string("L")])
        #expect(properties[2].allowedValues == [.integer(1), .integer(2), .integer(3)])
        #expect(properties[3].type == .boolean && properties[3].defaultValue == .boolean(true))
        #expect(properties[4].allowedValues == [.integer(0), .integer(2)])
    }

    @Test(
        arguments: [
            ("photo BLOB, photo_type TEXT", 1), ("Photo BLOB, PhotoContentType VARCHAR(40)", 1),
            ("photo_mime TEXT, photo BLOB", 2), ("photo BLOB, kind TEXT", nil), ("photo TEXT, photo_type TEXT", nil),
            ("photo BLOB, photo_type INT", nil), ("photo BLOB, photo_type TEXT, photo_mime TEXT", nil),
        ] as [(String, Int?)]
    )
    func `bytes beside their media type are a stream`(columns: String, place: Int?) throws {
        let found = try scan("CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns));")
        let properties = try #require(found.model[set: "t"]?.type.properties)
        #expect(properties.firstIndex { $0.stream != nil } == place)
        if let place { #expect(properties[place].stream?.contentTypeProperty == 3 - place) }
    }

    @Test func `a table whose CHECK allows one key has a singleton`() throws {
        let found = try scan(
            """
            CREATE TABLE settings(id INTEGER PRIMARY KEY CHECK (id = 1), theme TEXT);
            CREATE TABLE state(name TEXT PRIMARY KEY NOT NULL CHECK (name IN ('only')), value INT);
            CREATE TABLE other(id INTEGER PRIMARY KEY CHECK (id > 0));
            """
        )
        #expect(
            found.model.singletons == [
                Singleton(
                    names: Names(wire: "setting", code: "setting"),
                    set: "settings",
                    key: Key([.integer(1)]),
                    isNullable: true
                ),
                Singleton(
                    names: Names(wire: "TheState", code: "theState"),
                    set: "state",
                    key: Key([.string("only")]),
                    isNullable: true
                ),
            ]
        )
    }

    // MARK: Hints

    private static let shop = """
        CREATE TABLE posts(id INTEGER PRIMARY KEY, ship_street TEXT, ship_city TEXT, ship_zip TEXT, ship_box_no INT,
            tags JSON, extra TEXT CHECK (json_valid(extra)), version INTEGER NOT NULL DEFAULT 0,
            kind TEXT NOT NULL CHECK (kind IN ('thing', 'bike')), gears INT, CHECK (kind = 'bike' OR gears IS NULL));
        CREATE TRIGGER bump AFTER UPDATE ON posts BEGIN UPDATE posts SET version = OLD.version + 1 WHERE id = OLD.id; END;
        CREATE TABLE post_words(post_id INT NOT NULL REFERENCES posts(id), position INT NOT NULL, word VARCHAR(9) NOT NULL,
            PRIMARY KEY (post_id, position));
        INSERT INTO posts VALUES (1, 'a', 'b', 'c', 4, '["x","y"]', '{"a":1}', 0, 'bike', 3);
        """

    @Test func `what is doubtful is told and not decided`() throws {
        let found = try scan(Self.shop)
        #expect(
            found.hints.map { "\($0.guess?.rawValue ?? ""): \($0.message)" }.sorted() == [
                "collections: post_words holds values of posts and nothing else; it could be a collection property of these, words.",
                "complex: posts: the columns ship_street, ship_city, ship_zip, ship_box_no could be one complex property, ship.",
                "derived: posts: bike in the column kind could be derived types.",
                "json: posts: each value of the column extra is JSON; it could be an object of properties beside the declared ones (dynamic: true).",
                "json: posts: each value of the column tags is JSON; it could be a collection of String (collection: TYPE).",
                "versions: posts: a trigger changes the column version; it could be the version of a row (version: version).",
            ]
        )
        let type = try #require(found.model[set: "posts"]?.type)
        #expect(type.complexProperties.isEmpty && type.derivedTypes.isEmpty && type.version == nil)
        #expect(type.properties.allSatisfy { $0.structure == nil && $0.container == nil })
        #expect(found.model[set: "post_words"] != nil)
    }

    @Test func `what is asked for is decided`() throws {
        let found = try scan(Self.shop, Set(Guess.allCases))
        #expect(found.hints.isEmpty)
        #expect(found.model.sets.map(\.names.wire) == ["posts"])
        let type = try #require(found.model[set: "posts"]?.type)
        #expect(
            type.properties.indices.map { type.wirePath(of: $0) } == [
                "id", "ship/street", "ship/city", "ship/zip", "ship/box_no", "tags", "extra", "version", "kind",
                "gears",
                "words",
            ]
        )
        #expect(type.complexProperties == [ComplexProperty(names: Names(wire: "ship"), type: "Ship")])
        #expect(found.model[complexType: "Ship"]?.properties.map(\.names.wire) == ["street", "city", "zip", "box_no"])
        #expect(type.properties[5].structure == .collection(of: .primitive(.string)))
        #expect(type.properties[6].structure == .dynamic)
        #expect(type.version == 7 && type.properties[7].isReadOnly)
        #expect(type.discriminator == 8)
        #expect(
            type.derivedTypes == [DerivedType(names: Names(wire: "Bike"), discriminatorValue: .integer(1))]
        )
        #expect(type.properties[9].declaringType == "Bike")
        let words = type.properties[10]
        #expect(words.structure == .collection(of: .primitive(.string)) && words.maxLength == 9 && !words.isNullable)
        #expect(words.items?.name == "post_words" && words.items?.key == ["post_id"])
        #expect(words.items?.values.map(\.names.database) == ["word"] && words.items?.order == "position")
    }

    @Test(arguments: [
        "a_x TEXT, a_y TEXT", "a_id INT REFERENCES p(id), a_x TEXT, a_y TEXT", "a_1 TEXT, a_2 TEXT, a_3 TEXT",
        "a TEXT, a_x TEXT, a_y TEXT, a_z TEXT",
    ])
    func `few columns, numbered ones and keys are no group`(columns: String) throws {
        let found = try scan(
            "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns));",
            [.complex]
        )
        #expect(found.model[set: "t"]?.type.complexProperties.isEmpty == true)
    }

    @Test(arguments: [
        "p INT NOT NULL REFERENCES p(id), word TEXT NOT NULL, id INTEGER PRIMARY KEY",
        "p INT NOT NULL REFERENCES p(id), size INT NOT NULL, word TEXT, PRIMARY KEY (p, size)",
        "p INT NOT NULL REFERENCES p(id), position INT NOT NULL, word TEXT, PRIMARY KEY (position)",
        "p INT NOT NULL, position INT NOT NULL, word TEXT, PRIMARY KEY (p, position)",
    ])
    func `rows with a life of their own are no collection`(columns: String) throws {
        let found = try scan(
            "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE t(\(columns));",
            [.collections]
        )
        #expect(found.model[set: "t"] != nil)
        #expect(found.model[set: "p"]?.type.properties.count == 1)
    }

    @Test func `rows of several values are a collection of complex ones`() throws {
        let found = try scan(
            """
            CREATE TABLE p(a INT NOT NULL, b INT NOT NULL, PRIMARY KEY (b, a));
            CREATE TABLE phones(x INT NOT NULL, y INT NOT NULL, no INT NOT NULL, digits TEXT NOT NULL, home INT CHECK (home IN (0,1)),
                PRIMARY KEY (x, y, no), FOREIGN KEY (x, y) REFERENCES p(a, b));
            """,
            [.collections]
        )
        let property = try #require(found.model[set: "p"]?.type.properties.last)
        #expect(property.names.wire == "phones" && property.structure == .collection(of: .complex("phone")))
        // In the order of the key, (b, a).
        #expect(property.items?.key == ["y", "x"] && property.items?.order == "no")
        #expect(
            found.model[complexType: "phone"]?.properties.map {
                "\($0.names.wire) \($0.type.rawValue) \($0.isNullable)"
            }
                == ["digits Edm.String false", "home Edm.Boolean true"]
        )
    }
}
