// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Synchronization
import Testing
import Tideline
import TidelineOData
import TidelineTestSupport

/// One script, one app, four places where its entities are kept.
struct EntityServiceTests {
    @Test(.covers("PS-01", "PS-02", "PS-03"), arguments: HarbourServices.allCases)
    func `the same script of 30 steps gives the same wherever the entities are kept`(kind: HarbourServices) async throws
    {
        let world = try World(schema: HarbourServices.schema)
        let services = try await kind.open(world)
        var script = ServiceScript(services)
        try await script.run()
        try await services.sync()
        let left = try world.rows("SELECT Name, Mark FROM Spots ORDER BY Mark")
        // Keys that a device makes count down: the order by key is the other way round until the service has made them.
        #expect(script.lines.map(Self.ordered) == ServiceScript.expected.map(Self.ordered))
        if kind == .remote || kind == .synced {
            #expect(left == ["O'Hara & sons #1 + 50%|e", "🎣 ø|f"])
        } else {
            #expect(left == [])
        }
        try await services.close()
    }

    /// The steps that list without an order of their own: as a set.
    private static func ordered(_ line: String) -> String {
        guard line.hasPrefix("22 ") || line.hasPrefix("29 "), let colon = line.range(of: ": ") else { return line }
        let names = line[colon.upperBound...].split(separator: ",").sorted().joined(separator: ",")
        return line[..<colon.upperBound] + names
    }

    private static let hostile = [
        "a&b=c", "#1", "1+1", "50%", "%41%", "O'Hara", "\"quoted\"", "back\\slash", "a/b?c", "(x),[y];{z}", "🎣👨‍👩‍👧",
        "e\u{301}",
        "tab\tline\nend", " edges ", "null", "'; DROP TABLE Harbours; --", String(repeating: "ø&#+'\"", count: 1250),
    ]

    @Test(.covers("PS-04"), arguments: HarbourServices.allCases)
    func `hostile texts survive as values, as keys and in criteria`(kind: HarbourServices) async throws {
        let world = try World(schema: HarbourServices.schema)
        let services = try await kind.open(world)
        let harbours = services.service(for: Harbour.self)
        let spots = services.service(for: Spot.self)
        #expect(Self.hostile[16].utf8.count == 8750)
        for (place, text) in Self.hostile.enumerated() {
            let harbour = try await harbours.create(Harbour(code: text, name: "h\(place)"))
            #expect(harbour.code == text)
            let spot = try await spots.create(Spot(name: text, mark: "m\(place)", comments: text, harbourCode: text))
            #expect(spot.name == text)
            #expect(try await harbours.get(text) == harbour)
            let found = try await spots.getMany(Spot.where { $0.name == text && $0.harbour.code == text })
            #expect(found.map(\.mark) == ["m\(place)"])
            #expect(found.first?.comments == text)
        }
        try await services.sync()
        if kind == .synced { #expect(try services.store?.quarantined().isEmpty == true) }
        try await services.close()
    }

    @Test(.covers("PS-04"))
    func `another host is refused, and nothing is sent there`() async throws {
        let world = try World(schema: HarbourServices.schema)
        let real = ServiceTransport(world.service)
        let hosts = Mutex<Set<String>>([])
        let transport = RecordingTransport { request, body in
            hosts.withLock { _ = $0.insert(request.authority ?? "") }
            guard request.path?.hasPrefix("/odata/test/Harbours") == true else {
                return try await real.send(request, body: body)
            }
            let head = HTTPResponse(
                status: .temporaryRedirect,
                headerFields: [.location: "https://evil.example/odata/"]
            )
            return TransportResponse(head: head, body: [])
        }
        let services = try await HarbourServices.remote.open(world, transport: transport)
        let harbours = services.service(for: Harbour.self)
        let error = await #expect(throws: EntityServiceError.self) { try await harbours.get("BGO") }
        #expect(error?.code == .untrustedHost)
        #expect(hosts.withLock(\.self) == ["127.0.0.1"])
    }

    @Test func `a next link to another host is refused`() async throws {
        let world = try World(schema: HarbourServices.schema)
        let real = ServiceTransport(world.service)
        let transport = RecordingTransport { request, body in
            guard request.path?.hasPrefix("/odata/test/Harbours") == true else {
                return try await real.send(request, body: body)
            }
            let fields: HTTPFields = [.contentType: "application/json", .odataVersion: "4.01"]
            let text = #"{"value":[],"@nextLink":"https://evil.example/Harbours?page=2"}"#
            return TransportResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: Array(text.utf8))
        }
        let services = try await HarbourServices.remote.open(world, transport: transport)
        let error = await #expect(throws: EntityServiceError.self) {
            try await services.service(for: Harbour.self).getMany()
        }
        #expect(error?.code == .untrustedHost)
    }

    @Test(.covers("DA-63")) func `a change builds on the version that was read`() async throws {
        let world = try World(schema: HarbourServices.schema)
        let mine = try await HarbourServices.remote.open(world).service(for: Harbour.self)
        let theirs = try await HarbourServices.remote.open(world).service(for: Harbour.self)
        var harbour = try await mine.create(Harbour(code: "BGO", name: "Bergen"))
        var other = try #require(try await theirs.get("BGO"))
        other.depth = 4
        #expect(try await theirs.update(other).depth == 4)
        harbour.name = "Bjørgvin"
        #expect(await refusal { _ = try await mine.update(harbour) } == .conflict)
        // After reading it again the change goes through, and keeps what the other one did.
        var again = try #require(try await mine.get("BGO"))
        again.name = "Bjørgvin"
        #expect(try await mine.update(again) == Harbour(code: "BGO", name: "Bjørgvin", depth: 4))
        #expect(try world.rows("SELECT Name, Depth FROM Harbours") == ["Bjørgvin|4.0"])
        // Whoever did not read it sends the version that it reads just before.
        let third = try await HarbourServices.remote.open(world).service(for: Harbour.self)
        #expect(try await third.update(Harbour(code: "BGO", name: "Bergen", depth: 4)).name == "Bergen")
        #expect(await refusal { try await mine.delete(again) } == .conflict)
    }

    @Test(.covers("DA-58")) func `what a change sends is what changed, with the version it builds on`() async throws {
        let world = try World(schema: HarbourServices.schema)
        let transport = RecordingTransport(ServiceTransport(world.service))
        let harbours = try await HarbourServices.remote.open(world, transport: transport).service(for: Harbour.self)
        var harbour = try await harbours.create(Harbour(code: "B&O", name: "Bergen"))
        harbour.depth = 3.5
        _ = try await harbours.update(harbour)
        try await harbours.delete(harbour)
        let writes = transport.sent.filter { $0.request.method != .get }
        #expect(
            writes.map { "\($0.request.method) \($0.request.path ?? "")" } == [
                "POST /odata/test/Harbours?$select=Code,Name,Depth",
                "PATCH /odata/test/Harbours('B%26O')?$select=Code,Name,Depth",
                "DELETE /odata/test/Harbours('B%26O')",
            ]
        )
        #expect(String(decoding: writes[0].body, as: UTF8.self) == #"{"Code":"B&O","Name":"Bergen","Depth":null}"#)
        #expect(String(decoding: writes[1].body, as: UTF8.self) == #"{"Depth":3.5}"#)
        #expect(writes[1].request.headerFields[.ifMatch]?.hasPrefix("W/\"") == true)
        #expect(writes[2].request.headerFields[.ifMatch]?.hasPrefix("W/\"") == true)
        #expect(writes[1].request.headerFields[.ifMatch] != writes[2].request.headerFields[.ifMatch])
    }

    @Test(.covers("DA-37"))
    func `a struct with 4 of the 8 properties asks for those alone, and a change of it sends none but those`()
        async throws
    {
        let world = try World(schema: HarbourServices.schema)
        try world.execute(
            """
            INSERT INTO Harbours (Code, Name) VALUES ('BGO', 'Bergen');
            INSERT INTO Spots (Name, Mark, Fee, IsPublic, HarbourCode) VALUES ('Pier', 'a', 7, 1, 'BGO');
            """
        )
        let real = ServiceTransport(world.service)
        let answers = Mutex<[[UInt8]]>([])
        let transport = RecordingTransport { request, body in
            let answer = try await real.send(request, body: body)
            answers.withLock { $0.append(answer.body) }
            return answer
        }
        let services = try await EntityServices(
            HarbourServices.remote.configuration(in: world.folder),
            entities: [SpotCard.self],
            transport: transport,
            options: Device.options,
            userFolder: world.folder + "/user"
        )
        let cards = services.service(for: SpotCard.self)
        let found = try await cards.getMany()
        #expect(found == [SpotCard(id: 1, name: "Pier", mark: "a", comments: nil)])
        let answer = answers.withLock { $0.last ?? [] }
        let page = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
        let rows = try #require(page?["value"] as? [[String: Any]])
        #expect(rows.map { $0.keys.sorted() } == [["@etag", "Comments", "Id", "Mark", "Name"]])
        var card = try #require(found.first)
        card.name = "Old pier"
        let renamed = try await cards.update(card)
        #expect(renamed == card)
        (card.name, card.mark, card.comments) = ("Quay", "b", "deep")
        let changed = try await cards.update(card)
        #expect(changed == card)
        let sent = transport.sent.filter { $0.request.path?.contains("Spots") == true }
        #expect(
            sent.map { "\($0.request.method) \($0.request.path ?? "")" } == [
                "GET /odata/test/Spots?$select=Id,Name,Mark,Comments",
                "PATCH /odata/test/Spots(1)?$select=Id,Name,Mark,Comments",
                "PATCH /odata/test/Spots(1)?$select=Id,Name,Mark,Comments",
            ]
        )
        #expect(
            sent.map { String(decoding: $0.body, as: UTF8.self) } == [
                "", #"{"Name":"Old pier"}"#, #"{"Name":"Quay","Mark":"b","Comments":"deep"}"#,
            ]
        )
        let stored = try world.rows("SELECT Name, Mark, Fee, IsPublic, Seen, Comments, HarbourCode FROM Spots")
        #expect(stored == ["Quay|b|7|1|-|deep|BGO"])
    }

    @Test func `an entity that was read before the sync is still the same one`() async throws {
        let world = try World(schema: HarbourServices.schema)
        let services = try await HarbourServices.synced.open(world)
        let spots = services.service(for: Spot.self)
        _ = try await services.service(for: Harbour.self).create(Harbour(code: "BGO", name: "Bergen"))
        var spot = try await spots.create(Spot(name: "Pier", mark: "a", harbourCode: "BGO"))
        #expect(spot.id < 0)
        try await services.sync()
        try await services.sync()
        #expect(try world.rows("SELECT Id, Name FROM Spots") == ["1|Pier"])
        spot.name = "Old pier"
        let updated = try await spots.update(spot)
        #expect(updated.id == 1)
        #expect(updated.name == "Old pier")
        #expect(try await spots.get(spot.id)?.id == 1)
        try await spots.delete(spot)
        try await services.sync()
        #expect(try world.rows("SELECT count(*) FROM Spots") == ["0"])
        try await services.close()
    }

    @Test(arguments: HarbourServices.allCases)
    func `many calls at once, and one that is cancelled`(kind: HarbourServices) async throws {
        let world = try World(schema: HarbourServices.schema)
        let services = try await kind.open(world)
        let harbours = services.service(for: Harbour.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { _ = try await harbours.create(Harbour(code: "H\(number)", name: "n\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(try await harbours.getMany().count == 40)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await harbours.create(Harbour(code: "X", name: "cancelled"))
        }
        task.cancel()
        let error = await #expect(throws: EntityServiceError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try await harbours.get("X") == nil)
        try await services.close()
    }

    @Test func `a file that lacks what an entity has is refused when it is opened`() async throws {
        let world = try World(schema: "CREATE TABLE Harbours (Code TEXT NOT NULL PRIMARY KEY, Name TEXT NOT NULL)")
        let error = await #expect(throws: EntityServiceError.self) { try await HarbourServices.synced.open(world) }
        #expect(error?.code == .unfit)
        let remote = try await HarbourServices.remote.open(world)
        let late = await #expect(throws: EntityServiceError.self) {
            try await remote.service(for: Harbour.self).getMany()
        }
        #expect(late?.code == .unfit)
        #expect(late?.properties == ["Depth"])
    }

    private func refusal(_ body: () async throws -> Void) async -> EntityServiceError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? EntityServiceError)?.code
        }
    }

    @Test func `the configuration is one text`() {
        let forms: [ServiceConfiguration] = [
            .memory, .local(path: "/a b.tideline"), .remote(service: "https://x/odata/y/"),
            .synced(service: "https://x/odata/y/", path: "/a b.tideline"), .fishing(service: "https://x/services/"),
        ]
        for form in forms { #expect(ServiceConfiguration(form.description) == form) }
        #expect(ServiceConfiguration("synced https://x/odata/y/") == nil)
        #expect(ServiceConfiguration("elsewhere") == nil)
    }
}

/// A part of what a ``Spot`` has.
@Entity("Spots")
private struct SpotCard: Equatable {
    @Key(generated: true) var id: Int64
    var name: String
    @Unique var mark: String
    var comments: String?
}
