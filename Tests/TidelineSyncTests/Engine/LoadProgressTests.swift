// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineOData
import TidelineService
import TidelineStore
import TidelineSync

/// How far a load has come, as an app is shown it: rows done, and rows expected.
struct LoadProgressTests {
    /// What is shown while an exchange is under way.
    private struct Shown: Hashable, Sendable {
        var phase: SyncStatus.Phase
        var set: String?
        var done: Int
        var expected: Int?

        init(_ phase: SyncStatus.Phase, _ set: String? = nil, _ done: Int = 0, of expected: Int? = nil) {
            self.phase = phase
            self.set = set
            self.done = done
            self.expected = expected
        }
    }

    /// Five rows on three pages of two, and three rows on two pages.
    private let world: World

    init() throws {
        world = try World()
        try world.execute("INSERT INTO Parents (Id, Name) VALUES (4, 'four'), (5, 'five')")
    }

    /// Loads two sets afresh.
    ///
    /// - Parameters:
    ///   - fault: what the exchange at its index meets.
    ///   - refuses: how the service answers what it does not want to do.
    /// - Returns: what is shown in each exchange, and what is asked in it.
    private func load(
        fault: (kind: NetworkFault, index: Int)? = nil,
        refuses: @escaping @Sendable (String) -> HTTPResponse.Status? = { _ in nil }
    ) async throws -> (shown: [Shown], asked: [String]) {
        let device = try await world.device(
            "a",
            requests: [SubscriptionRequest(set: "Parents"), SubscriptionRequest(set: "Products")]
        )
        try device.store.forgetDeltaLinks(of: ["Parents", "Products"])
        let asked = Mutex<[String]>([])
        let transport = ServiceTransport { [service = world.service] request, body in
            let path = request.path ?? ""
            let query = path.split(separator: "?").dropFirst().first ?? ""
            let name = path.split(separator: "?")[0].split(separator: "/").last ?? ""
            let isCounted = query.contains("$count=true") && !query.contains("token")
            asked.withLock { $0.append(name + (isCounted ? " counted" : query.contains("token") ? " next" : "")) }
            if let status = refuses(path) { return TransportResponse(head: HTTPResponse(status: status), body: []) }
            var request = request
            if request.headerFields[.prefer]?.contains("maxpagesize") == true {
                request.headerFields[.prefer] = "track-changes,maxpagesize=2"
            }
            let response = service.respond(to: request, body: body, user: .anonymous)
            return TransportResponse(head: response.head, body: try response.body.all())
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let engine = SyncEngine(store: device.store, client: ODataClient(session: session), options: Device.options)
        let shown = Mutex<[Shown]>([])
        transport.begin(fault: fault?.kind, at: fault?.index ?? 0) { _ in
            for await status in engine.status {
                shown.withLock { $0.append(Shown(status.phase, status.set, status.done, of: status.expected)) }
                return
            }
        }
        // Every row is known by its version.
        #expect(try await engine.sync() == SyncReport())
        #expect(try await device.verify().isEqual)
        return (shown.withLock(\.self), asked.withLock(\.self))
    }

    /// What is asked where nothing fails.
    private static let whole = [
        "$metadata", "Parents counted", "Parents next", "Parents next", "Products counted", "Products next", "$batch",
    ]

    @Test func `each page of a first load tells the rows done, and all of them from the first page on`() async throws {
        let (shown, asked) = try await load()
        #expect(
            shown == [
                Shown(.loading, "Parents"), Shown(.loading, "Parents"), Shown(.loading, "Parents", 2, of: 5),
                Shown(.loading, "Parents", 4, of: 5), Shown(.loading, "Products"),
                Shown(.loading, "Products", 2, of: 3), Shown(.receiving),
            ]
        )
        // Whether the keys are still the same, once; one count a set, and none of the changes.
        #expect(asked == Self.whole)
    }

    @Test func `a load that goes on after a failure keeps its total, and counts no second time`() async throws {
        let (shown, asked) = try await load(fault: (.dropBefore, 3))
        #expect(
            shown == [
                Shown(.loading, "Parents"), Shown(.loading, "Parents"), Shown(.loading, "Parents", 2, of: 5),
                Shown(.loading, "Parents", 4, of: 5),
                // Until the service answers again.
                Shown(.offline(until: nil), "Parents", 4, of: 5), Shown(.loading, "Products"),
                Shown(.loading, "Products", 2, of: 3), Shown(.receiving),
            ]
        )
        #expect(asked == Self.whole)
    }

    @Test func `a first page whose answer is lost is asked for with the total again`() async throws {
        let (shown, asked) = try await load(fault: (.dropAfter, 1))
        #expect(
            shown[..<4] == [
                Shown(.loading, "Parents"), Shown(.loading, "Parents"), Shown(.offline(until: nil), "Parents"),
                Shown(.loading, "Parents", 2, of: 5),
            ]
        )
        #expect(asked[..<4] == ["$metadata", "Parents counted", "Parents counted", "Parents next"])
    }

    @Test(arguments: [HTTPResponse.Status.badRequest, .notFound, .notImplemented, .internalServerError])
    func `of a service that does not count, the rows are loaded without a total`(
        status: HTTPResponse.Status
    ) async throws {
        let (shown, asked) = try await load { $0.contains("$count") ? status : nil }
        #expect(
            shown == [
                Shown(.loading, "Parents"), Shown(.loading, "Parents"), Shown(.loading, "Parents"),
                Shown(.loading, "Parents", 2), Shown(.loading, "Parents", 4), Shown(.loading, "Products"),
                Shown(.loading, "Products"),
                Shown(.loading, "Products", 2), Shown(.receiving),
            ]
        )
        #expect(
            asked == [
                "$metadata", "Parents counted", "Parents", "Parents next", "Parents next", "Products counted",
                "Products", "Products next", "$batch",
            ]
        )
    }
}
