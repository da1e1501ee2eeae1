// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineService

/// What the server itself writes in the transaction of a request.
struct AlongsideTests {
    private struct Failure: Error {}

    private static let request = HTTPRequest(
        method: .post,
        scheme: nil,
        authority: nil,
        path: "/odata/shop/Notes",
        headerFields: [.contentType: "application/json"]
    )
    private static let body = Array(#"{"NoteId":"z","OwnerId":1}"#.utf8)

    @Test func `what is written alongside a change sees it, and is committed with it`() throws {
        let shop = try Shop()
        let notes = try #require(shop.domain.model[set: "Notes"])
        let reply = shop.service.insert(Self.request, body: Self.body, user: Shop.alice) { writer in
            guard try writer.delete(Key([.string("z")]), in: notes) else { throw Failure() }
        }
        #expect(reply.head.status == .created)
        #expect(try shop.value("SELECT count(*) FROM Notes WHERE NoteId = 'z'") == "0")
    }

    @Test func `when what is written alongside a change fails, the change is not done`() throws {
        let shop = try Shop()
        let reply = shop.service.insert(Self.request, body: Self.body, user: Shop.alice) { _ in throw Failure() }
        #expect(reply.head.status == .internalServerError)
        #expect(try shop.value("SELECT count(*) FROM Notes WHERE NoteId = 'z'") == "0")
        let again = shop.service.respond(to: Self.request, body: Self.body, user: Shop.alice)
        #expect(again.head.status == .created)
        #expect(try shop.value("SELECT count(*) FROM Notes WHERE NoteId = 'z'") == "1")
    }
}
