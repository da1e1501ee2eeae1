// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Stores that were made with no server, and get one later.
struct AttachTests {
    /// The tables of the service; a part refers to its whole, a team to its leader and the leader to the team.
    private static let schema = """
        CREATE TABLE Teams (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, LeaderId INT REFERENCES People(Id));
        CREATE TABLE People (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name VARCHAR(20) NOT NULL, Extra TEXT,
            TeamId INT REFERENCES Teams(Id), BossId INT REFERENCES People(Id));
        CREATE TABLE Notes (Code TEXT NOT NULL PRIMARY KEY, Text TEXT, PersonId INT REFERENCES People(Id));
        INSERT INTO People (Id, Name) VALUES (1, 'already there');
        """

    private static func property(_ wire: String, _ type: PrimitiveType, isNullable: Bool = true, max: Int? = nil)
        -> Property
    {
        Property(names: Names(wire: wire), type: type, isNullable: isNullable, maxLength: max)
    }

    private static func counted(_ wire: String) -> Property {
        Property(names: Names(wire: wire), type: .int32, isNullable: false, generation: .onInsert)
    }

    private static func reference(_ wire: String, to set: String, from source: Int) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: wire),
            targetSet: set,
            isCollection: false,
            isDependent: true,
            constraints: [.init(source: source, target: 0)]
        )
    }

    /// The model of the app, with a property that stays on the device, and without one that the service has.
    private static var model: EntityModel {
        var drawn = property("Drawn", .boolean)
        drawn.isLocalOnly = true
        return EntityModel(
            namespace: "App",
            sets: [
                EntitySet(
                    names: Names(wire: "Notes"),
                    type: EntityType(
                        names: Names(wire: "Note"),
                        properties: [
                            property("Code", .string, isNullable: false), property("Text", .string),
                            property("PersonId", .int32), drawn,
                        ],
                        key: [0],
                        navigationProperties: [reference("Person", to: "People", from: 2)]
                    )
                ),
                EntitySet(
                    names: Names(wire: "People"),
                    type: EntityType(
                        names: Names(wire: "Person"),
                        properties: [
                            counted("Id"), property("Name", .string, isNullable: false, max: 20),
                            property("TeamId", .int32), property("BossId", .int32),
                        ],
                        key: [0],
                        navigationProperties: [
                            reference("Team", to: "Teams", from: 2), reference("Boss", to: "People", from: 3),
                        ]
                    )
                ),
                EntitySet(
                    names: Names(wire: "Teams"),
                    type: EntityType(
                        names: Names(wire: "Team"),
                        properties: [
                            counted("Id"), property("Name", .string, isNullable: false), property("LeaderId", .int32),
                        ],
                        key: [0],
                        navigationProperties: [reference("Leader", to: "People", from: 2)]
                    )
                ),
            ]
        )
    }

    private func store(_ world: World, model: EntityModel = Self.model) throws -> LocalStore {
        try LocalStore.create(path: world.folder + "/app-\(UUID().uuidString).tideline", model: model)
    }

    private func client(_ transport: ServiceTransport) throws -> ODataClient {
        ODataClient(session: Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport))
    }

    /// A team with a leader in it, her report, two notes.
    private func fill(_ store: LocalStore) throws {
        try store.write { transaction in
            let team = try transaction.insert(["Name": .string("Blue")], into: "Teams").values[0]
            let ann = try transaction.insert(["Name": .string("Ann"), "TeamId": team], into: "People").values[0]
            let bob = try transaction.insert(["Name": .string("Bob"), "BossId": ann], into: "People").values[0]
            try transaction.update(Key([team]), ["LeaderId": ann], in: "Teams")
            try transaction.insert(["Code": .string("a"), "Text": .string("x&y"), "PersonId": ann], into: "Notes")
            try transaction.insert(["Code": .string("b"), "PersonId": bob, "Drawn": .boolean(true)], into: "Notes")
        }
        // What was changed and deleted before is of no interest to the service.
        try store.write { try $0.insert(["Code": .string("gone")], into: "Notes") }
        try store.write { _ = try $0.delete(Key([.string("gone")]), in: "Notes") }
        try store.write { _ = try $0.update(Key([.string("a")]), ["Text": .string("y&z")], in: "Notes") }
    }

    private static let all = """
        SELECT p.Name, t.Name, l.Name, b.Name FROM People p LEFT JOIN Teams t ON t.Id = p.TeamId
        LEFT JOIN People l ON l.Id = t.LeaderId LEFT JOIN People b ON b.Id = p.BossId ORDER BY p.Id
        """

    @Test func `all rows go to the service, references and all, and the store is a clone from then on`() async throws {
        let world = try World(schema: Self.schema)
        let store = try store(world)
        try fill(store)
        let transport = ServiceTransport(world.service)
        let client = try client(transport)
        let report = try await StoreAttacher(client: client, options: Device.options).attach(store)
        #expect(report.quarantined == 0)
        #expect(try world.rows(Self.all) == ["already there|-|-|-", "Ann|Blue|Ann|-", "Bob|-|-|Ann"])
        #expect(
            try world.rows("SELECT Code, Text, p.Name FROM Notes n JOIN People p ON p.Id = n.PersonId ORDER BY Code")
                == [
                    "a|y&z|Ann", "b|-|Bob",
                ]
        )
        #expect(try store.status().pendingTransactions == 0)
        // The keys are the service's now; what stays on the device is still there; the service's own rows came.
        try await store.read { (reader: LocalReader) throws in
            #expect(try reader.entity(Key([.integer(2)]), in: "People")?["Name"] == .string("Ann"))
            #expect(try reader.entity(Key([.integer(1)]), in: "People")?["Name"] == .string("already there"))
            #expect(try reader.entity(Key([.string("b")]), in: "Notes")?["Drawn"] == .boolean(true))
            #expect(try reader.entity(Key([.string("b")]), in: "Notes")?["PersonId"] == .integer(3))
        }
        // Later changes travel both ways.
        try world.execute("UPDATE Notes SET Text = 'there' WHERE Code = 'b'")
        try await store.write { _ = try $0.update(Key([.integer(2)]), ["Name": .string("Anna")], in: "People") }
        _ = try await SyncEngine(store: store, client: client, options: Device.options).sync()
        #expect(try world.rows("SELECT Name FROM People WHERE Id = 2") == ["Anna"])
        #expect(try await store.read { try $0.entity(Key([.string("b")]), in: "Notes")?["Text"] } == .string("there"))
        #expect(try await StoreVerifier(store: store, client: client).verify().differences == [])
    }

    @Test func `an attach that is cut off at any exchange goes on, and nothing is there twice`() async throws {
        var exchange = 0
        var isCut = true
        while isCut {
            for fault in [NetworkFault.dropBefore, .dropAfter] {
                let world = try World(schema: Self.schema)
                let store = try store(world)
                try fill(store)
                let transport = ServiceTransport(world.service)
                let attacher = StoreAttacher(
                    client: try client(transport),
                    options: SyncOptions(
                        retry: RetryPolicy(patience: .zero),
                        sleep: { _ in },
                        random: { 0.5 },
                        now: Device.options.now
                    )
                )
                transport.begin(fault: fault, at: exchange)
                do {
                    _ = try await attacher.attach(store)
                    isCut = transport.exchanges > exchange
                } catch {
                    _ = try await attacher.attach(store)
                }
                #expect(
                    try world.rows(Self.all) == ["already there|-|-|-", "Ann|Blue|Ann|-", "Bob|-|-|Ann"],
                    "\(fault) at \(exchange)"
                )
                #expect(try world.rows("SELECT count(*) FROM Notes") == ["2"])
                #expect(try store.status().pendingTransactions == 0)
            }
            exchange += 1
            try #require(exchange < 40)
        }
        #expect(exchange > 4)
    }

    @Test func `models that do not fit are refused with what differs, and nothing is changed`() async throws {
        let world = try World(
            schema: """
                CREATE TABLE People (Id INTEGER PRIMARY KEY AUTOINCREMENT, Name VARCHAR(10) NOT NULL, TeamId TEXT,
                    BossId INT NOT NULL REFERENCES People(Id), Born DATE NOT NULL);
                CREATE TABLE Notes (Code TEXT NOT NULL, Text TEXT, PersonId INT, PRIMARY KEY (Code, PersonId));
                """
        )
        let store = try store(world)
        try fill(store)
        let before = try store.status()
        let transport = ServiceTransport(world.service)
        let error = await #expect(throws: ModelMismatch.self) {
            try await StoreAttacher(client: client(transport), options: Device.options).attach(store)
        }
        #expect(
            error?.differences == [
                "The key of Notes is (Code) here and (Code, PersonId) at the service.",
                "Notes.PersonId may be null here and not at the service.",
                "The service has no reference Notes.Person.",
                "People.Name may be longer here (20) than at the service (10).",
                "People.TeamId is Edm.Int32 here and Edm.String at the service.",
                "People.BossId may be null here and not at the service.",
                "The service needs People.Born, which the store does not have.",
                "The service has no reference People.Team.", "The service has no set Teams that you may read.",
            ]
        )
        #expect(try store.status() == before)
        #expect(try world.rows("SELECT count(*) FROM People") == ["0"])
        #expect(transport.exchanges <= 2)
    }

    @Test func `many rows go in transactions that a server takes, keys that a program gave are made anew`() async throws
    {
        let world = try World()
        let model = try await world.device("model").store.model
        let store = try LocalStore.create(path: world.folder + "/many.tideline", model: model)
        try await store.write { transaction in
            for number in 0..<1201 {
                try transaction.insert(
                    ["Code": .string("C\(number)"), "Rank": .integer(Int64(number + 100))],
                    into: "Products"
                )
            }
            let parent = try transaction.insert(["Name": .string("p")], into: "Parents").values[0]
            try transaction.insert(["ParentId": parent, "Label": .string("x")], into: "Children")
        }
        let transport = RecordingTransport(ServiceTransport(world.service))
        let client = ODataClient(
            session: Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        )
        let report = try await StoreAttacher(client: client, options: Device.options).attach(store)
        #expect(report.quarantined == 0)
        // 1203 rows, 500 in a transaction.
        #expect(report.sent == 3)
        #expect(try world.rows("SELECT count(*) FROM Products") == ["1204"])
        #expect(
            try world.rows(
                "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE c.Label = 'x'"
            )
                == ["p|x"]
        )
    }

    @Test func `a store of one service is not attached to another`() async throws {
        let world = try World()
        let device = try await world.device("a")
        let other = ODataClient(
            session: Session(
                address: try ServiceAddress("http://127.0.0.1/odata/other/"),
                transport: ServiceTransport(world.service)
            )
        )
        let error = await #expect(throws: SyncError.self) {
            try await StoreAttacher(client: other, options: Device.options).attach(device.store)
        }
        #expect(error?.code == .otherService)
    }

    @Test(.covers("MD-I55"))
    func `two clients that are offline make entities: no keys clash, and both are kept`() async throws {
        let world = try World()
        let a = try await world.device("a")
        let b = try await world.device("b")
        // Both count down from -1: the same temporary keys on two devices.
        for device in [a, b] {
            let parent = try await device.insert(["Name": .string("from \(device.name)")], into: "Parents")
            #expect(parent == Key([.integer(-1)]))
            try await device.insert(
                ["ParentId": parent.values[0], "Label": .string("of \(device.name)")],
                into: "Children"
            )
        }
        for device in [a, b, a] { try await device.sync() }
        #expect(
            try world.rows(
                "SELECT p.Id, p.Name, c.Label FROM Parents p JOIN Children c ON c.ParentId = p.Id WHERE p.Id > 3 ORDER BY p.Id"
            ) == ["4|from a|of a", "5|from b|of b"]
        )
        for device in [a, b] {
            #expect(try await device.verify().differences == [])
            #expect(try device.store.conflicts().isEmpty)
            let names = try await device.store.read { reader in
                try [4, 5].map { try reader.entity(Key([.integer($0)]), in: "Parents")?["Name"] }
            }
            #expect(names == [.string("from a"), .string("from b")])
        }
    }
}
