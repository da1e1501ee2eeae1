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

/// Pushes that end without a decision: the service answers the batch and not its transactions, as when its database is
/// locked, or its answer is lost.
struct UndecidedPushTests {
    /// The engine of a device whose clock stands at `seconds`, over another transport than its own.
    private func engine(
        _ a: Device,
        over transport: RecordingTransport,
        at seconds: Int64 = 1_800_000_000
    ) throws -> SyncEngine {
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        var options = Device.options
        options.now = { DateTimeOffset(seconds: seconds) }
        return SyncEngine(store: a.store, client: ODataClient(session: session), options: options)
    }

    /// Syncs a device with one insert that waits; the service answers the first push of it with `status`.
    private func sync(_ a: Device, firstPush status: Int) async throws -> (report: SyncReport, pushes: [[UInt8]]) {
        try await a.insert(["Name": .string("late")], into: "Parents")
        let waiting = try #require(try a.store.pendingTransactions().first)
        let answer = """
            {"responses":[{"id":"\(GroupBuilder.requestID(waiting.number, 0))","status":\(status),
            "body":{"error":{"code":"Undecided","message":"The tide is out."}}}]}
            """
        let isAnswered = Mutex(false)
        let transport = RecordingTransport { request, body in
            // The outbox is sent before anything else.
            let isFirst = isAnswered.withLock { answered in
                defer { answered = true }
                return !answered
            }
            guard isFirst else { return try await a.transport.send(request, body: body) }
            let fields: HTTPFields = [.contentType: "application/json", .odataVersion: "4.01"]
            return TransportResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: Array(answer.utf8))
        }
        let report = try await engine(a, over: transport).sync()
        return (report, transport.sent.prefix(2).map(\.body))
    }

    @Test(arguments: [401, 408, 429, 500, 503])
    func `a transaction that the service has not decided waits, and is sent again as it was`(status: Int) async throws {
        let world = try World()
        let a = try await world.device("a")
        let (report, pushes) = try await sync(a, firstPush: status)
        #expect(report.sent == 1 && report.quarantined == 0)
        #expect(pushes.count == 2 && pushes.first == pushes.last)
        #expect(try a.store.quarantined().isEmpty)
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Name = 'late'") == ["1"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what was sent is sent byte for byte again, by a later sync too`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.insert(["Name": .string("late")], into: "Parents")
        let transport = RecordingTransport(a.transport)
        // The service decides, its answer is lost, and nothing more gets through.
        a.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
        let first = try engine(a, over: transport)
        await #expect(throws: ClientError.self) { try await first.sync() }
        let tries = transport.sent.count
        a.transport.begin()
        // An hour later the same transaction would be encoded with another time at which it was first sent.
        let later = try engine(a, over: transport, at: 1_800_003_600)
        #expect(try await later.sync().sent == 1)
        let push = try #require(transport.sent.first)
        let again = try #require(transport.sent.dropFirst(tries).first)
        #expect(String(decoding: push.body, as: UTF8.self) == String(decoding: again.body, as: UTF8.self))
        #expect(try a.store.quarantined().isEmpty)
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Name = 'late'") == ["1"])
    }

    @Test func `what a service does not support it never will: that is a refusal`() async throws {
        let world = try World()
        let a = try await world.device("a")
        let (report, _) = try await sync(a, firstPush: 501)
        #expect(report.sent == 0 && report.quarantined == 1)
        #expect(try a.store.quarantined().map(\.code) == ["Undecided"])
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Name = 'late'") == ["0"])
    }
}
