// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// Devices with the features of the model that are more than columns of plain values.
struct FeatureDevicesTests {
    private static let schema = """
        CREATE TABLE Posts (Id INTEGER PRIMARY KEY, Title TEXT, Status TEXT NOT NULL CHECK (Status IN ('draft', 'out')),
            Ship_Street TEXT, Ship_City TEXT, Ship_Zip TEXT, Photo BLOB, PhotoType TEXT, More JSON,
            Kind TEXT NOT NULL DEFAULT 'text' CHECK (Kind IN ('text', 'film')), Minutes INT,
            CHECK (Kind = 'film' OR Minutes IS NULL));
        CREATE TABLE PostTags (PostId INT NOT NULL REFERENCES Posts(Id), Position INT NOT NULL, Tag TEXT NOT NULL,
            PRIMARY KEY (PostId, Position));
        INSERT INTO Posts VALUES
            (1, 'one', 'draft', 'Elm', 'Bern', '3000', x'01', 'image/png', '["a","b"]', 'text', NULL),
            (2, 'two', 'out', NULL, NULL, NULL, NULL, NULL, NULL, 'film', 90);
        INSERT INTO PostTags VALUES (1, 0, 'new'), (1, 1, 'blue');
        """

    private func text(_ row: [String: Value], _ name: String) -> String { row[name]?.text ?? "-" }

    private func row(_ device: Device, _ id: Int64) throws -> [String: Value] {
        try #require(try device.store.read { try $0.entity(Key([.integer(id)]), in: "Posts") })
    }

    @Test func `structures, members, collections and derived types come, go and agree; streams stay`() async throws {
        let world = try World(schema: Self.schema, guesses: Set(Guess.allCases))
        let a = try await world.device("a")
        let b = try await world.device("b")
        let first = try row(a, 1)
        #expect(text(first, "PostTags") == #"["new","blue"]"#)
        #expect(text(first, "Status") == "draft")
        #expect(first["Photo"] ?? .null == .null)
        #expect(text(try row(a, 2), "Minutes") == "90")

        try await a.update(
            .integer(1),
            ["PostTags": .string(#"["x"]"#), "Status": .string("out"), "More": .string(#"["c"]"#)],
            in: "Posts"
        )
        try await a.update(.integer(2), ["Minutes": .integer(95)], in: "Posts")
        try await a.sync()
        #expect(try world.rows("SELECT Status, More FROM Posts WHERE Id = 1") == [#"out|["c"]"#])
        #expect(try world.rows("SELECT PostId, Position, Tag FROM PostTags") == ["1|0|x"])
        #expect(try world.rows("SELECT Minutes, hex(Photo) FROM Posts ORDER BY Id") == ["-|01", "95|"])

        // Another program changes the table of the items: the device gets the entity.
        try world.execute("INSERT INTO PostTags VALUES (2, 0, 'late')")
        try await b.sync()
        #expect(text(try row(b, 1), "PostTags") == #"["x"]"#)
        #expect(text(try row(b, 2), "PostTags") == #"["late"]"#)
        try await a.sync()
        for device in [a, b] {
            #expect(try device.store.quarantined().isEmpty)
            let report = try await device.verify()
            #expect(report.differences.isEmpty && report.properties.isEmpty, "\(report)")
        }
    }

    @Test func `new entities carry them too`() async throws {
        let world = try World(schema: Self.schema, guesses: Set(Guess.allCases))
        let a = try await world.device("a")
        let values: [String: Value] = [
            "Title": .string("film"), "Status": .string("draft"), "Kind": .string("film"), "Minutes": .integer(7),
            "PostTags": .string(#"["p","q"]"#), "Ship": .string(#"{"Street":"Oak","City":"Ulm","Zip":null}"#),
        ]
        try await a.insert(values, into: "Posts")
        try await a.sync()
        #expect(try a.store.quarantined().isEmpty)
        #expect(
            try world.rows("SELECT Title, Status, Kind, Minutes, Ship_Street, Ship_City FROM Posts WHERE Id > 2")
                == ["film|draft|film|7|Oak|Ulm"]
        )
        #expect(try world.rows("SELECT Tag FROM PostTags WHERE PostId > 2 ORDER BY Position") == ["p", "q"])
        #expect(try await a.verify().differences == [])
    }

    /// As PATCH has it, so that an app which knows fewer members than others takes none of theirs.
    @Test func `members of an object that are not written stay, and null takes one away`() async throws {
        let world = try World(schema: Self.schema, guesses: Set(Guess.allCases))
        let (a, b) = (try await world.device("a"), try await world.device("b"))
        try await a.update(.integer(1), ["Ship": .string(#"{"City":"Ulm","Zip":null}"#)], in: "Posts")
        try await a.sync()
        #expect(try world.rows("SELECT Ship_Street, Ship_City, Ship_Zip FROM Posts WHERE Id = 1") == ["Elm|Ulm|-"])
        try await b.sync()
        for device in [a, b] {
            #expect(text(try row(device, 1), "Ship") == #"{"Street":"Elm","City":"Ulm","Zip":null}"#)
            #expect(try await device.verify().differences == [])
        }
    }

    @Test func `which derived type an entity is of stays, as on the service`() async throws {
        let world = try World(schema: Self.schema, guesses: Set(Guess.allCases))
        let device = try await world.device("a")
        let error = await #expect(throws: LocalStoreError.self) {
            try await device.update(.integer(1), ["Kind": .string("film")], in: "Posts")
        }
        #expect(error?.code == .readOnly && error?.properties == ["Kind"])
        #expect(text(try row(device, 1), "Kind") == "text")
    }

    /// What a clone says that the device does not hold.
    private func leftOut(_ schema: String) async throws -> [String] {
        try await cloned(try World(schema: schema)).leftOut
    }

    /// A clone, and what it says that the device does not hold.
    private func cloned(_ world: World) async throws -> (store: LocalStore, leftOut: [String]) {
        let session = Session(
            address: try ServiceAddress("http://127.0.0.1/odata/test/"),
            transport: ServiceTransport(world.service)
        )
        let identities = world.folder + "/identity"
        try FileManager.default.createDirectory(atPath: identities, withIntermediateDirectories: true)
        let cloner = StoreCloner(
            client: ODataClient(session: session),
            settings: StoreSettings(identityFolder: identities),
            options: Device.options
        )
        let (store, report) = try await cloner.clone(to: world.folder + "/x.tideline")
        return (store, report.leftOut)
    }

    @Test func `properties that are not declared stay on the service, and the clone says so`() async throws {
        let schema = """
            CREATE TABLE Items (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, More TEXT);
            INSERT INTO Items VALUES (1, 'lamp', '{"Color":"red"}');
            """
        let world = try World(schema: schema) { sets in
            guard let place = sets[0].type.propertyIndex(wire: "More") else { return }
            sets[0].type.properties[place].structure = .dynamic
        }
        let (store, leftOut) = try await cloned(world)
        #expect(leftOut == ["Items: the properties that its model does not declare"])
        let row = try await store.read { try $0.entity(Key([.integer(1)]), in: "Items") }
        #expect(row == ["Id": .integer(1), "Name": .string("lamp")])
        try await store.write { _ = try $0.update(Key([.integer(1)]), ["Name": .string("light")], in: "Items") }
        let session = Session(
            address: try ServiceAddress("http://127.0.0.1/odata/test/"),
            transport: ServiceTransport(world.service)
        )
        let client = ODataClient(session: session)
        let report = try await SyncEngine(store: store, client: client, options: Device.options).sync()
        #expect(report.sent == 1)
        #expect(try world.rows("SELECT Name, More FROM Items") == [#"light|{"Color":"red"}"#])
    }

    @Test func `a clone says what it leaves`() async throws {
        #expect(try await leftOut(Self.schema) == ["Posts.Photo: a stream, which is read at its own address"])
        let links = """
            CREATE TABLE Songs (Id INTEGER PRIMARY KEY, Name TEXT); CREATE TABLE Labels (Id INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE SongLabels (SongId INTEGER NOT NULL REFERENCES Songs(Id), LabelId INTEGER NOT NULL
                REFERENCES Labels(Id), PRIMARY KEY (SongId, LabelId));
            """
        #expect(try await leftOut(links) == [], "Many to many is followed on a device, too.")
    }
}
