// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

@testable import TidelineSync

/// A change meets another one on the service, which does not give the row as it is now: nobody can merge them.
struct UngivenRowTests {
    /// A device with a change that meets another one, and with a second change behind it; the service answers once with
    /// that status where the row is asked for.
    private func meeting(
        _ world: World,
        status: Int,
        body: String = #"{"error":{"code":"Ebb","message":"The tide is out."}}"#
    ) async throws -> (Device, SyncEngine) {
        let a = try await world.device("a")
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 1")
        try await a.update(.integer(1), ["Name": .string("mine")], in: "Parents")
        try await a.update(.string("P1"), ["Name": .string("Lantern")], in: "Products")
        let answer = #"{"responses":[{"id":"0","status":\#(status),"body":\#(body)}]}"#
        let asked = Mutex(0)
        let transport = RecordingTransport { request, body in
            let place = asked.withLock { asked in
                defer { asked += 1 }
                return asked
            }
            // The push comes first, what it met second.
            guard place == 1 else { return try await a.transport.send(request, body: body) }
            #expect(String(decoding: body, as: UTF8.self).contains("Parents(1)"))
            let fields: HTTPFields = [.contentType: "application/json", .odataVersion: "4.01"]
            return TransportResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: Array(answer.utf8))
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        var options = Device.options
        options.retry.patience = .zero
        return (a, SyncEngine(store: a.store, client: ODataClient(session: session), options: options))
    }

    @Test(arguments: [400, 403, 501])
    func `where the service will not give it, the change is held with its reason, and what follows is sent`(
        status: Int
    ) async throws {
        let world = try World()
        let (a, engine) = try await meeting(world, status: status)
        let report = try await engine.sync()
        #expect(report.sent == 1 && report.quarantined == 1 && report.conflicts == 0)
        let held = try #require(try a.store.quarantined().first)
        #expect(held.code == "Ebb" && held.status == status)
        #expect(
            held.message
                == "It meets a change on the service, which does not give the row. Parents: The tide is out."
        )
        #expect(try world.rows("SELECT Name FROM Products WHERE Code = 'P1'") == ["Lantern"])
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["one|theirs"])
        // Sent again when the service gives the row, it is merged.
        try a.store.retry(quarantined: held.id)
        #expect(try await a.sync().sent == 1)
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["mine|theirs"])
        let differences = try await a.verify().differences
        #expect(differences == [])
    }

    @Test func `a refusal without words is no conflict that waits for a person`() async throws {
        let world = try World()
        let (a, engine) = try await meeting(world, status: 403, body: "null")
        #expect(try await engine.sync().quarantined == 1)
        let held = try #require(try a.store.quarantined().first)
        #expect(held.code == "Refused" && held.status == 403)
        #expect(try a.store.conflicts().isEmpty)
    }

    @Test(arguments: [401, 425, 429, 500, 503])
    func `where the service may give it later, the change waits, and the error names the set`(
        status: Int
    ) async throws {
        let world = try World()
        let (a, engine) = try await meeting(world, status: status)
        let error = try #require(await #expect(throws: ClientError.self) { try await engine.sync() })
        #expect(error.status == status)
        #expect(error.message == (status == 401 ? "The service asks who you are." : "Parents: The tide is out."))
        #expect(try a.store.quarantined().isEmpty)
        #expect(try a.store.pendingTransactions().count == 2)
        #expect(try await a.sync().sent == 2)
        #expect(try world.rows("SELECT Name, Note FROM Parents WHERE Id = 1") == ["mine|theirs"])
        let differences = try await a.verify().differences
        #expect(differences == [])
    }
}
