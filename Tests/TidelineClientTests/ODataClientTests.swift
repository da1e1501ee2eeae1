// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineOData
import TidelineTestSupport

/// Which answers pass for those of a service.
struct ODataClientTests {
    private func client(_ answer: TransportResponse) throws -> ODataClient {
        let transport = ScriptedTransport { _, _ in answer }
        return ODataClient(
            session: Session(address: try ServiceAddress("http://127.0.0.1/odata/shop/"), transport: transport)
        )
    }

    @Test func `a sign-in page of the network is no answer`() async throws {
        let client = try client(.html())
        await #expect { try await client.get("Orders") } throws: { ($0 as? ClientError)?.code == .notOData }
    }

    @Test func `JSON of somebody else is no answer`() async throws {
        let other = TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
            body: Array("{}".utf8)
        )
        let client = try client(other)
        await #expect { try await client.get("Orders") } throws: { ($0 as? ClientError)?.code == .notOData }
    }

    @Test(
        .covers("SB-F094"),
        arguments: [
            (403, ClientError.Code.forbidden), (404, .notFound), (410, .gone), (412, .preconditionFailed),
            (413, .tooLarge),
            (429, .busy), (500, .serverFailure), (503, .busy), (511, .notOData), (302, .redirected), (400, .refused),
        ]
    )
    func `the status of a refusal is told apart`(status: Int, code: ClientError.Code) async throws {
        let client = try client(.html(status))
        await #expect { try await client.get("Orders") } throws: { ($0 as? ClientError)?.code == code }
    }

    @Test(.covers("MD-I69"), arguments: [(404, ClientError.Code.notFound), (500, .serverFailure)])
    func `a refusal carries what its body says, that of an answer and that of a stream`(
        status: Int,
        code: ClientError.Code
    ) async throws {
        let details = #"[{"code":"Moon","message":"It is new.","target":"Days"}]"#
        let body = #"{"error":{"code":"Low","message":"No tide.","target":"Orders","details":\#(details)}}"#
        let said = ODataError(
            code: "Low",
            message: "No tide.",
            target: "Orders",
            details: [ODataError.Detail(code: "Moon", message: "It is new.", target: "Days")]
        )
        let client = try client(.json(body, status: status))
        let answered = await #expect(throws: ClientError.self) { try await client.get("Orders") }
        let streamed = await #expect(throws: ClientError.self) {
            try await client.stream("Orders", answers: "application/json") { bytes in
                Issue.record("\(bytes.count) bytes of a refusal were handed over.")
            }
        }
        for error in [answered, streamed] {
            #expect(error?.code == code)
            #expect(error?.status == status)
            #expect(error?.message == "No tide.")
            #expect(error?.service == said)
        }
    }

    @Test func `a busy service says how long to wait`() async throws {
        let client = try client(.status(503, [.retryAfter: "7"]))
        await #expect { try await client.get("Orders") } throws: { ($0 as? ClientError)?.retryAfter == .seconds(7) }
    }

    @Test func `every request says which version it understands`() async throws {
        let transport = ScriptedTransport { _, _ in
            .json(#"{"value":[{"name":"Orders","kind":"EntitySet","url":"Orders"}]}"#)
        }
        let client = ODataClient(
            session: Session(address: try ServiceAddress("http://127.0.0.1/odata/shop/"), transport: transport)
        )
        #expect(try await client.entitySets() == ["Orders"])
        let sent = transport.requests.first
        #expect(sent?.path == "/odata/shop/")
        #expect(sent?.headerFields[.odataMaxVersion] == "4.01")
        #expect(sent?.headerFields[.authorization] == nil)
    }
}
