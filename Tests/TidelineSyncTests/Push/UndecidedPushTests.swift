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

/// Transactions in a batch that the service answers, themselves without a decision: a database that is locked, say.
struct UndecidedPushTests {
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
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let client = ODataClient(session: session)
        let report = try await SyncEngine(store: a.store, client: client, options: Device.options).sync()
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

    @Test func `what a service does not support it never will: that is a refusal`() async throws {
        let world = try World()
        let a = try await world.device("a")
        let (report, _) = try await sync(a, firstPush: 501)
        #expect(report.sent == 0 && report.quarantined == 1)
        #expect(try a.store.quarantined().map(\.code) == ["Undecided"])
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Name = 'late'") == ["0"])
    }
}
