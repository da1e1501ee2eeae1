// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineTestSupport

/// Whole tables, operations and the outline of a schema, asked of a service.
struct FetchedTableTests {
    private func client(_ world: World) throws -> (ODataClient, RecordingTransport) {
        let transport = RecordingTransport(ServiceTransport(world.service))
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        return (ODataClient(session: session), transport)
    }

    @Test(.covers("DA-32"))
    func `one table comes as rows with the definitions of the fields`() async throws {
        let (client, _) = try client(World())
        let parents = try await client.fetch("Parents")
        #expect(parents.fields.map(\.names.wire) == ["Id", "Name", "Note", "Amount"])
        #expect(parents.fields.map(\.type) == [.int32, .string, .string, .int64])
        #expect(parents.fields.map(\.isNullable) == [false, false, true, false])
        #expect(parents.set.type.key == [0])
        #expect(
            parents.rows == [
                [.integer(1), .string("one"), .null, .integer(10)],
                [.integer(2), .string("two"), .string("n"), .integer(20)],
                [.integer(3), .string("three"), .string(""), .integer(30)],
            ]
        )
        #expect(parents.value("Name", at: 1) == .string("two"))
        #expect(parents.value("Nothing", at: 1) == nil)
        #expect(parents.value("Name", at: 3) == nil)
    }

    @Test(.covers("DA-33"))
    func `three tables come in one request, by name`() async throws {
        let (client, transport) = try client(World())
        let model = try await client.model()
        let before = transport.sent.count
        let tables = try await client.fetch(["Parents", "Children", "Products"], model: model)
        #expect(transport.sent.count == before + 1)
        #expect(transport.sent.last?.request.method == .post)
        #expect(transport.sent.last?.request.path == "/odata/test/$batch")
        #expect(tables.keys.sorted() == ["Children", "Parents", "Products"])
        #expect(tables["Parents"]?.rows.count == 3)
        #expect(tables["Children"]?.rows.map { $0[2] } == [.string("a"), .string("b"), .string("c")])
        #expect(tables["Products"]?.value("Code", at: 2) == .string("P3"))
    }

    @Test func `a set that is not there is an error, and nothing is returned`() async throws {
        let (client, _) = try client(World())
        let error = await #expect(throws: ClientError.self) { try await client.fetch(["Parents", "Nothing"]) }
        #expect(error?.code == .notFound)
        #expect(error?.message == "The service has no entity set Nothing.")
    }

    @Test func `pages are joined`() async throws {
        let world = try World()
        try world.execute(
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 12009) "
                + "INSERT INTO Parents (Id, Name) SELECT i, 'p' || i FROM n"
        )
        let (client, _) = try client(world)
        let table = try await client.fetch("Parents")
        #expect(table.rows.count == 12_003)
        #expect(table.value("Name", at: 12_002) == .string("p12009"))
        #expect(Set(table.rows.map { $0[0] }).count == 12_003)
    }

    @Test(.covers("DA-34"))
    func `the outline of the schema has two columns`() async throws {
        let (client, _) = try client(World())
        let outline = try await client.outline()
        let lines = outline.lines.map { "\($0.depth) \($0.item.kind) \($0.item.title) | \($0.item.note)" }
        #expect(
            lines == [
                "0 collection Test | <virtual element>", "1 collection TABLES (3) | <virtual element>",
                "2 table Children | ", "3 collection Fields (3) | <virtual element>", "4 keyField Id | Edm.Int32, key",
                "4 regularField ParentId | Edm.Int32, required", "4 regularField Label | Edm.String, required",
                "2 table Parents | ", "3 collection Fields (4) | <virtual element>", "4 keyField Id | Edm.Int32, key",
                "4 regularField Name | Edm.String, required", "4 regularField Note | Edm.String",
                "4 regularField Amount | Edm.Int64, required",
                "2 table Products | ", "3 collection Fields (3) | <virtual element>",
                "4 keyField Code | Edm.String, key", "4 regularField Rank | Edm.Int64, required",
                "4 regularField Name | Edm.String", "1 collection COMMANDS (0) | <virtual element>",
            ]
        )
        #expect(Set(outline.lines.map(\.item.id)).count == lines.count)
    }
}
