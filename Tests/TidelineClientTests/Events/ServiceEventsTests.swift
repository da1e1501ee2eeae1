// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineOData

/// What a device hears, over streams and polls that a script plays.
@Suite(.timeLimit(.minutes(1)))
struct ServiceEventsTests {
    private static let head = ScriptedStream.Step.head(200, "text/event-stream")

    private static func event(_ name: String, _ id: String, _ sets: String = "") -> ScriptedStream.Step {
        .text("id: \(id)\nevent: \(name)\ndata: {\"id\":\"\(id)\",\"sets\":[\(sets)]}\n\n")
    }

    private func signals(_ script: ScriptedStream, isPatient: Bool = true) throws -> AsyncStream<ServiceSignal> {
        let session = Session(address: try ServiceAddress("http://127.0.0.1:8080/odata/shop/"), transport: script)
        return ServiceEvents(client: ODataClient(session: session), options: script.options(isPatient: isPatient))
            .signals
    }

    @Test func `a device hears that anything may be new, then what is, and goes on after the last event`() async throws
    {
        let script = ScriptedStream([
            [
                Self.head, .text("retry: 3000\n\n"), Self.event("ready", "a"), .gate,
                Self.event("change", "b", #""Notes""#),
                .text(":\n\nid: c\n\n"),
            ],
            [Self.head, Self.event("ready", "c"), .gate, Self.event("change", "d", #""Orders""#), .silence],
        ])
        var signals = try signals(script).makeAsyncIterator()
        #expect(await signals.next() == ServiceSignal(isConnected: true, sets: nil, eventID: "a"))
        script.goOn()
        #expect(await signals.next() == ServiceSignal(isConnected: true, sets: ["Notes"], eventID: "b"))
        script.goOn()
        // Connected all the while: that it is ready again says nothing.
        #expect(await signals.next() == ServiceSignal(isConnected: true, sets: ["Orders"], eventID: "d"))
        #expect(script.asked == ["/odata/shop/$events", "/odata/shop/$events after c"])
        #expect(script.waits == [.seconds(1)])
    }

    @Test func `what nobody takes waits as one signal`() async throws {
        let script = ScriptedStream([
            [
                Self.head, Self.event("ready", "a"), .gate, Self.event("change", "b", #""A""#),
                Self.event("change", "c", #""B","C""#), Self.event("other", "d", #""D""#), .fail(.lost),
            ]
        ])
        var signals = try signals(script).makeAsyncIterator()
        _ = await signals.next()
        script.goOn()
        var heard = ServiceSignal(isConnected: true, sets: [])
        while heard.isConnected, let signal = await signals.next() {
            heard = ServiceSignal(
                isConnected: signal.isConnected,
                sets: heard.sets?.union(signal.sets ?? []),
                error: signal.error
            )
        }
        #expect(heard == ServiceSignal(isConnected: false, sets: ["A", "B", "C"], error: .lost))
    }

    @Test func `a failure is told once, and the waits grow until the service is there again`() async throws {
        let script = ScriptedStream([
            [.fail(.lost)], [.gate, .fail(.lost)], [.head(503, "application/json"), .text("{}")],
            [Self.head, Self.event("ready", "a"), .silence],
        ])
        var signals = try signals(script).makeAsyncIterator()
        let first = await signals.next()
        #expect(first == ServiceSignal(isConnected: false, sets: [], error: .lost))
        script.goOn()
        #expect(await signals.next() == ServiceSignal(isConnected: true, sets: nil, eventID: "a"))
        #expect(script.waits == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func `where a stream brings nothing the service is polled`() async throws {
        let script = ScriptedStream(
            [[.silence]],
            polls: [.json(#"{"id":"a","sets":[]}"#), .json(#"{"id":"b","sets":["Notes"]}"#)]
        )
        var signals = try signals(script, isPatient: false).makeAsyncIterator()
        // The two may come as one.
        let heard = await signals.next()
        let either = ["a", "b"].map { ServiceSignal(isConnected: true, sets: nil, eventID: $0) }
        #expect(either.contains { $0 == heard })
        while script.asked.count < 4 {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(
            script.asked == [
                "/odata/shop/$events", "/odata/shop/$events?wait=45", "/odata/shop/$events?wait=45 after a",
                "/odata/shop/$events?wait=45 after b",
            ]
        )
    }

    @Test func `a service without events is left alone`() async throws {
        let script = ScriptedStream([
            [.head(404, "application/json"), .text(#"{"error":{"code":"x","message":"No."}}"#)]
        ])
        var signals = try signals(script).makeAsyncIterator()
        let signal = await signals.next()
        #expect(signal?.isConnected == false && signal?.error?.code == .notFound && signal?.error?.message == "No.")
        #expect(await signals.next() == nil)
        #expect(script.asked.count == 1)
    }

    @Test func `an answer that is no stream, as of a captive network, is no event`() async throws {
        let script = ScriptedStream([
            [.head(200, "text/html"), .text("id: x\nevent: change\ndata: {\"id\":\"x\",\"sets\":[\"A\"]}\n\n")],
            [.gate, Self.head, .text("data: what\n\n"), Self.event("change", "b", "1"), .silence],
            [Self.head, Self.event("ready", "a"), .silence],
        ])
        var signals = try signals(script).makeAsyncIterator()
        #expect(await signals.next()?.error?.code == .notOData)
        script.goOn()
        #expect(await signals.next() == ServiceSignal(isConnected: true, sets: nil, eventID: "a"))
        #expect(script.waits == [.seconds(1), .seconds(2)])
    }

    @Test func `a stream shows its token, and renews it once`() async throws {
        let service = TokenService()
        let transport = ScriptedTransport { request, body in
            guard request.path != "/odata/shop/$events" else {
                let isValid = request.headerFields[.authorization] == "Bearer access-s1"
                guard isValid else { return .status(401) }
                var head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream; charset=utf-8"])
                head.headerFields[.odataVersion] = "4.01"
                let text = "event: ready\ndata: {\"id\":\"a\",\"sets\":[]}\n\n"
                return TransportResponse(head: head, body: Array(text.utf8))
            }
            return try await service.respond(request, body)
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1:8080/odata/shop/"), transport: transport) {
            _ in Credentials(user: "ann", password: "secret")
        }
        var signals = ServiceEvents(client: ODataClient(session: session)).signals.makeAsyncIterator()
        #expect(await signals.next() == ServiceSignal(isConnected: true, sets: nil, eventID: "a"))
        #expect(
            transport.requests.prefix(3).map(\.path) == [
                "/odata/shop/$events", "/auth/shop/token", "/odata/shop/$events",
            ]
        )
    }
}

extension ClientError {
    fileprivate static let lost = ClientError(.interrupted, "Lost.", advice: "")
}
