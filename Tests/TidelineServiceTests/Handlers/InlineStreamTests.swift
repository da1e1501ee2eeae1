// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineTestSupport

@testable import TidelineService

/// Streams whose content stands in the body of an entity.
///
/// Source: OData JSON Format 4.01, section 9.
struct InlineStreamTests {
    private static let json = ["Content-Type": "application/json"]

    @Test(arguments: [
        (#""Photo@mediaContentType":"image/gif","Photo":"AQID""#, "image/gif", "\u{1}\u{2}\u{3}"),
        (#""Photo":"AQID","Photo@odata.mediaContentType":"image/gif""#, "image/gif", "\u{1}\u{2}\u{3}"),
        (#""Photo@mediaContentType":"text/plain;charset=UTF-8","Photo":"a\"é""#, "text/plain;charset=UTF-8", "a\"é"),
        (#""Photo@mediaContentType":"application/geo+json","Photo":{"a":[1]}"#, "application/geo+json", #"{"a":[1]}"#),
        (#""PhotoType":"image/x","Photo@mediaContentType":"image/gif","Photo":"AQID""#, "image/x", "\u{1}\u{2}\u{3}"),
    ])
    func `the media type beside a content says how it is written, and is kept`(
        members: String,
        type: String,
        content: String
    ) throws {
        let gallery = try Gallery()
        let reply = gallery.send(.patch, "Items(3)", Self.json, body: "{\(members)}")
        #expect(reply.status == 204, "\(reply.text)")
        let stream = gallery.get("Items(3)/Photo")
        #expect(stream.text == content)
        #expect(stream.fields[.contentType] == type)
    }

    @Test func `a media type alone, and null, leave the type as it was`() throws {
        let gallery = try Gallery()
        #expect(gallery.send(.patch, "Items(1)", Self.json, body: #"{"Photo@mediaContentType":"a/b"}"#).status == 204)
        #expect(gallery.get("Items(1)/Photo").fields[.contentType] == "image/png")
        #expect(gallery.send(.patch, "Items(1)", Self.json, body: #"{"Photo":"?"}"#).status == 400)
        #expect(gallery.send(.patch, "Items(1)", Self.json, body: #"{"Photo":null}"#).status == 204)
        #expect(gallery.get("Items(1)/Photo").status == 204)
    }

    @Test func `what somebody put there runs no script under the address of the service`() throws {
        let gallery = try Gallery()
        #expect(gallery.send(.put, "Items(3)/Photo", ["Content-Type": "text/html"], body: "<script>").status == 204)
        #expect(gallery.get("Items(3)/Photo").fields[.contentSecurityPolicy] == "sandbox")
    }
}
