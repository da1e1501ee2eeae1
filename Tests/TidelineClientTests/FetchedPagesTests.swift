// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel

/// Pages of a service that leads a client in a circle.
struct FetchedPagesTests {
    @Test func `a page that names itself as the next one is an error, and not the start of a circle`() async throws {
        let transport = ScriptedTransport { _, _ in
            .json(
                #"{"responses":[{"id":"0","status":200,"headers":{"content-type":"application/json"},"#
                    + #""body":{"value":[{"Id":1}],"@nextLink":"http://127.0.0.1/odata/test/Things"}}]}"#
            )
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let key = Property(names: Names(wire: "Id"), type: .int32, isNullable: false)
        let type = EntityType(names: Names(wire: "Thing"), properties: [key], key: [0])
        let model = EntityModel(namespace: "T", sets: [EntitySet(names: Names(wire: "Things"), type: type)])
        let error = await #expect(throws: ClientError.self) {
            try await ODataClient(session: session).fetch("Things", model: model)
        }
        #expect(error?.message.contains("do not end") == true, "\(String(describing: error))")
        #expect((1...2).contains(transport.requests.count))
    }
}
