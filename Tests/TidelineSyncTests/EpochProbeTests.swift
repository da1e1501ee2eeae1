// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineOData

@testable import TidelineSync

/// What a service says when a device asks which publication it is of.
struct EpochProbeTests {
    /// A service that answers each batch alike, without an epoch, and demands that nothing be asked of it that it may refuse.
    private struct Fixed: Transport {
        let status: Int

        func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
            #expect(request.headerFields[.isolation] == nil)
            var head = HTTPResponse(status: .init(code: status))
            head.headerFields[.contentType] = status == 200 ? "application/json" : "text/plain"
            if status == 200 { head.headerFields[.odataVersion] = "4.01" }
            return TransportResponse(head: head, body: status == 200 ? Array(#"{"responses":[]}"#.utf8) : [])
        }
    }

    private func told(_ status: Int) async throws -> String? {
        let session = Session(address: try ServiceAddress("http://127.0.0.1/svc/"), transport: Fixed(status: status))
        return try await ODataClient(session: session).epoch(of: GUID(high: 1, low: 2), asking: "Products")
    }

    @Test(arguments: [200, 400, 403, 404, 405, 406, 412, 415, 422, 501])
    func `one that refuses the batch, or does not say, tells none`(status: Int) async throws {
        #expect(try await told(status) == nil)
    }

    @Test(arguments: [401, 408, 425, 429, 500, 503])
    func `one that asks who it is, or fails for the moment, is asked again later`(status: Int) async throws {
        await #expect(throws: ClientError.self) { try await told(status) }
    }
}
