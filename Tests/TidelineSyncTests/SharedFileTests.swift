// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// Two that sync one file at once, as an app and its extension, or a sync that watches and one that is called.
struct SharedFileTests {
    private static func note(_ id: Int64) -> [String: Value] {
        ["Id": .integer(id), "OwnerId": .integer(1), "Text": .string("n\(id)"), "Rank": .integer(id)]
    }

    /// A device of a service with ten notes, and another one that has the same file open.
    private func devices(of served: ServedDomain) async throws -> (one: Device, other: Device) {
        let one = try await served.device("a")
        let transport = try await served.device("b").transport
        let session = Session(address: one.client.address, transport: transport)
        let store = try LocalStore(path: served.path(of: "a"), settings: served.settings(of: "a"))
        let other = Device(name: "a", store: store, client: ODataClient(session: session), transport: transport)
        try served.write { writer in
            for id in 1...10 { try writer.insert(Self.note(Int64(id)), into: "Notes") }
        }
        return (one, other)
    }

    @Test(arguments: 0..<5) func `both load a set anew, and each has what the service has`(exchange: Int) async throws {
        let served = try ServedDomain(.sqlite, pageRows: 3)
        let (one, other) = try await devices(of: served)
        try one.store.forgetDeltaLinks(of: ["Notes", "Events"])
        // The other one syncs while a page of this one is on its way.
        one.transport.begin { index in
            if index == exchange { try await other.sync() }
        }
        try await one.sync()
        #expect(one.transport.exchanges > exchange)
        #expect(try one.rows("Notes").count == 10)
        #expect(try await one.verify().differences == [])
        let after = try await other.sync()
        #expect(after.received == 0 && after.sent == 0)
    }

    @Test func `an answer that comes after another one was applied takes nothing back`() async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await devices(of: served)
        let slow = RecordingTransport { request, body in
            let answer = try await one.transport.send(request, body: body)
            // It is read here, and comes there when the other one has what was changed since.
            if request.method == .post, try other.rows("Notes").isEmpty {
                try served.write { try $0.update(1, ["Text": .string("changed")], in: "Notes") }
                try await other.sync()
            }
            return answer
        }
        let client = ODataClient(session: Session(address: one.client.address, transport: slow))
        _ = try await SyncEngine(store: one.store, client: client, options: Device.options).sync()
        #expect(slow.sent.count == 2)
        let text = try await one.store.read { try $0.entity(Key([.integer(1)]), in: "Notes")?["Text"] }
        #expect(text == .string("changed"))
        #expect(try await one.verify().differences == [])
    }

    @Test(arguments: 0..<3) func `what both send takes effect once`(exchange: Int) async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await devices(of: served)
        for text in ["first", "second"] {
            try await one.insert(["OwnerId": .integer(1), "Text": .string(text)], into: "Events")
        }
        try served.write { try $0.update(2, ["Text": .string("theirs")], in: "Notes") }
        one.transport.begin { index in
            if index == exchange { try await other.sync() }
        }
        try await one.sync()
        one.transport.begin()
        try await one.sync()
        #expect(try served.rows("Events", "Text").sorted() == ["first", "second"])
        #expect(try one.rows("Events").count == 2)
        let status = try one.store.status()
        #expect(status.pendingTransactions == 0 && status.quarantined == 0)
        #expect(try await one.verify().differences == [])
    }
}
