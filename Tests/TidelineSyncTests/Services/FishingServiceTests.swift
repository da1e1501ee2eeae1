// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import Tideline
import TidelineTestSupport

/// The entity service that speaks the wire of the fishing app, and the four others beside it.
struct FishingServiceTests {
    @Test(.covers("PS-02", "PS-P02", "PS-P05"), arguments: FishingServices.allCases)
    func `one script of 30 steps gives the same with spots in five places, the old wire among them`(
        kind: FishingServices
    ) async throws {
        let server = try FishingServer()
        try await server.run { port in
            let services = try await server.open(kind, port: port)
            var script = FishingScript(services)
            try await script.run()
            #expect(script.lines == FishingScript.expected)
            try await services.close()
        }
    }

    @Test(.covers("PS-P03"))
    func `many calls at once do not mix up their answers`() async throws {
        let server = try FishingServer()
        try await server.run { port in
            let spots = try await server.open(.fishing, port: port).service(for: FishingSpot.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let made = try await spots.create(FishingSpot(name: "s\(number)", lat: Double(number), lng: 1))
                        #expect(made.name == "s\(number)")
                        #expect(try await spots.get(made.id)?.lat == Double(number))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await spots.getMany().count == 20)
        }
    }

    /// The services of an app whose server gives the same answer to everything.
    private static func spots(answering text: String) async throws -> any EntityService<FishingSpot> {
        let transport = RecordingTransport { _, _ in
            TransportResponse(head: HTTPResponse(status: .ok), body: Array(text.utf8))
        }
        return try await EntityServices(
            .fishing(service: "https://example.org/services/"),
            entities: [FishingSpot.self],
            transport: transport
        ) { Credentials(user: "42", password: "t") }.service(for: FishingSpot.self)
    }

    private static let whole =
        #"{"id":7,"name":"Old pier","lat":59.913900,"lng":10.752200,"publicSpot":1,"comments":"early","#
        + #""owner":{"userId":"42","userName":"Ann","pictureUrl":"https://example.org/a.png"}}"#

    private static func answer(_ items: String...) -> String {
        #"{"fishingResponse":{"rc":0,"descr":"OK","items":[\#(items.joined(separator: ","))]}}"#
    }

    @Test(
        .covers("PS-P07"),
        arguments: [
            (#""name":"Old pier","#, "", "name"), (#""lat":59.913900,"#, #""lat":null,"#, "lat"),
            (#""lng":10.752200,"#, #""lng":"east","#, "lng"), (#""publicSpot":1"#, #""publicSpot":2"#, "publicSpot"),
            (#""userId":"42","#, "", "owner.userId"), (#""comments":"early""#, #""comments":null"#, "comments"),
        ]
    )
    func `a member that is missing or null is named with its object, and nothing partial is kept`(
        part: String,
        instead: String,
        member: String
    ) async throws {
        let spots = try await Self.spots(answering: Self.answer(Self.whole, Self.whole.replacing(part, with: instead)))
        let error = await #expect(throws: EntityServiceError.self) { try await spots.getMany() }
        #expect(error?.code == .unfit)
        #expect(
            error?.message
                == "In the answer of the server \(member) of FishingSpots(7) is missing, null or of another type."
        )
        let intact = try await Self.spots(answering: Self.answer(Self.whole))
        #expect(
            try await intact.get(7)
                == FishingSpot(
                    id: 7,
                    name: "Old pier",
                    lat: 59.9139,
                    lng: 10.7522,
                    isPublicSpot: true,
                    comments: "early"
                )
        )
    }

    @Test(
        .covers("PS-P04", "PS-10"),
        arguments: [
            ("<html>", EntityServiceError.Code.unavailable, "Exception Thrown (rc -1)"),
            (#"{"fishingResponse":{"rc":2,"descr":"Token"}}"#, .notAllowed, "Token (rc 2)"),
            (#"{"fishingResponse":{"rc":12,"descr":"Number"}}"#, .invalid, "Number (rc 12)"),
            (#"{"fishingResponse":{"rc":99,"descr":"Failed"}}"#, .unavailable, "Failed (rc 99)"),
            (#"{"fishingResponse":{"rc":4711,"descr":"Other"}}"#, .refused, "Other (rc 4711)"),
        ]
    )
    func `what the server tells comes as a typed error of the call`(
        text: String,
        code: EntityServiceError.Code,
        message: String
    ) async throws {
        let spots = try await Self.spots(answering: text)
        let error = await #expect(throws: EntityServiceError.self) { try await spots.getMany() }
        #expect(error?.code == code)
        #expect(error?.message == message)
    }

    @Test(.covers("PS-P01", "PS-04"))
    func `the token goes to its own host alone, encrypted or on this machine`() async throws {
        let transport = RecordingTransport { _, _ in
            let head = HTTPResponse(status: .found, headerFields: [.location: "https://evil.example/"])
            return TransportResponse(head: head, body: [])
        }
        func spots(_ service: String) async throws -> any EntityService<FishingSpot> {
            try await EntityServices(.fishing(service: service), entities: [FishingSpot.self], transport: transport) {
                Credentials(user: "4&2", password: "t#+ø")
            }.service(for: FishingSpot.self)
        }
        let led = await #expect(throws: EntityServiceError.self) {
            try await spots("https://example.org/services").get(7)
        }
        #expect(led?.code == .untrustedHost)
        #expect(
            transport.sent.map { "\($0.request.authority ?? "")\($0.request.path ?? "")" }
                == ["example.org/services/locations.php?action=get&userid=4%262&token=t%23%2B%C3%B8&id=7"]
        )
        let plain = await #expect(throws: EntityServiceError.self) {
            try await spots("http://example.org/services/").get(7)
        }
        #expect(plain?.code == .notAllowed)
        #expect(transport.sent.count == 1)
    }

    @Test func `what the wire does not carry is refused by name`() async throws {
        let services = try await EntityServices(
            .fishing(service: "https://example.org/services/"),
            entities: [FishingSpot.self, Harbour.self],
            transport: RecordingTransport { _, _ in TransportResponse(head: HTTPResponse(status: .ok), body: []) }
        ) { Credentials(user: "42", password: "t") }
        let error = await #expect(throws: EntityServiceError.self) {
            try await services.service(for: Harbour.self).getMany()
        }
        #expect(error?.code == .unfit)
        #expect(error?.message == "The wire of the fishing app carries FishingSpots and no Harbours.")
        #expect(try await services.sync() == nil)
    }
}
