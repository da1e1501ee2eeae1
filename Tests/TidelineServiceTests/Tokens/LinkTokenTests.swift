// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineService

struct LinkTokenTests {
    private static let position = FeedPosition(bytes: [1, 2, 3])
    static let places: [LinkToken.Place] = [
        .page(after: [], delivered: 0, start: nil, count: nil),
        .page(
            after: [
                .null, .boolean(true), .integer(-5), .double(0.5), .decimal(EdmDecimal(coefficient: 150, scale: 2)),
                .string("ä\u{0}"), .binary([0, 255]), .guid(GUID(high: 1, low: 2)),
                .date(CalendarDate(daysSinceEpoch: -1)),
                .timeOfDay(TimeOfDay(nanoseconds: 1)), .dateTimeOffset(DateTimeOffset(seconds: 1, nanoseconds: 5)),
                .duration(.seconds(90)),
            ],
            delivered: 300,
            start: position,
            count: 1_000
        ),
        .delta(since: position), .deltaOfLoad(since: position, seen: [position, FeedPosition(bytes: [4])]),
        .trackedPage(after: [.integer(5)], delivered: 7, moments: [position], count: nil),
        .trackedPage(after: [], delivered: 7, moments: [position, position], count: 9),
        .rest(after: [.null, .string("a")]),
        .deltaPage(since: position, after: FeedPosition(bytes: []), seen: [position, position]),
        .relatedPage(
            LinkToken.RelatedDelta(since: position, seen: [], start: position, pages: [position]),
            DeltaStage.Place(stage: 300, after: nil, row: [1, 2], cursor: [])
        ),
        .relatedPage(
            LinkToken.RelatedDelta(since: position, seen: [position], start: position, pages: []),
            DeltaStage.Place(stage: 0, after: position, row: [], cursor: [0])
        ),
    ]

    @Test(arguments: places)
    func `a token is read as it was written`(place: LinkToken.Place) {
        let token = LinkToken(place: place, scope: [9, 8])
        #expect(LinkToken(packed: token.packed) == token)
    }

    @Test(arguments: places)
    func `no part of a token is a token`(place: LinkToken.Place) {
        let bytes = LinkToken(place: place, scope: [9, 8]).packed
        for count in 0..<bytes.count { #expect(LinkToken(packed: Array(bytes[..<count])) == nil) }
        #expect(LinkToken(packed: bytes + [0]) == nil)
    }

    @Test
    func `a signature holds for its key, its domain and its bytes alone`() {
        let key = [UInt8](repeating: 7, count: 32)
        let signer = TokenSigner(key: key, domain: "shop")
        let token = signer.sign([1, 2, 3])
        #expect(signer.payload(of: token) == [1, 2, 3])
        #expect(TokenSigner(key: key, domain: "other").payload(of: token) == nil)
        #expect(TokenSigner(key: [UInt8](repeating: 8, count: 32), domain: "shop").payload(of: token) == nil)
        for place in token.indices {
            var text = token
            text.replaceSubrange(place...place, with: token[place] == "A" ? "B" : "A")
            #expect(signer.payload(of: text) == nil)
        }
        #expect(signer.payload(of: "") == nil)
        #expect(signer.payload(of: "é") == nil)
    }
}
