// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel

@testable import TidelineOData

struct HeadersTests {
    @Test(arguments: [
        ("track-changes, maxpagesize=5000", "track-changes, maxpagesize=5000"),
        ("odata.track-changes,odata.maxpagesize=10", "odata.track-changes, odata.maxpagesize=10"),
        ("return=minimal; x=y, return=representation", "return=minimal"),
        ("maxpagesize=0, maxpagesize=-1, maxpagesize=x", nil),
        (
            "foo=\"a, return=minimal\", respond-async , continue-on-error=false",
            "continue-on-error=false, respond-async"
        ),
        ("odata.maxpagesize=1, maxpagesize=2, maxpagesize=3", "maxpagesize=2"),
        ("odata.track-changes, maxpagesize=2", "odata.track-changes, maxpagesize=2"),
        ("respond-async=\"\", track-changes=\"\"", "track-changes, respond-async"),
        (",,  ,", nil), ("return=\"representation\"", "return=representation"), ("=;,=", nil),
    ])
    func `preferences that are known are read, others are not`(text: String, applied: String?) {
        #expect(Preferences([.prefer: text]).headerValue == applied)
    }

    @Test func `several fields count as one list`() {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .prefer, value: "maxpagesize=5"))
        fields.append(HTTPField(name: .prefer, value: "track-changes"))
        let preferences = Preferences(fields)
        #expect(preferences.maxPageSize == 5)
        #expect(preferences.tracksChanges)
    }

    @Test func `ETags are 22 digits and read back`() {
        for etag in [ETag(high: 0, low: 0), ETag(high: .max, low: .max), ETag(high: 0x0102_0304_0506_0708, low: 3)] {
            #expect(etag.text.utf8.count == 26)
            #expect(ETag(text: etag.text) == etag)
        }
        #expect(ETag(high: 0, low: 1).text == "W/\"AAAAAAAAAAAAAAAAAAAAAQ\"")
        for text in [
            "", "W/\"\"", "W/\"AAAAAAAAAAAAAAAAAAAAAB\"", "AAAAAAAAAAAAAAAAAAAAAQ", "W/\"AAAAAAAAAAAAAAAAAAAA+Q\"",
        ] {
            #expect(ETag(text: text) == nil)
        }
    }

    @Test func `conditions are compared weakly`() throws {
        let etag = ETag(high: 1, low: 2)
        for text in [etag.text, "\"\(etag.opaque)\"", "\"x\", \(etag.text)", "*", " * "] {
            let condition = try #require(ETagCondition(text: text))
            #expect(condition.matches(etag))
            #expect(!condition.matches(nil))
        }
        #expect(ETagCondition(text: "\"x\"")?.matches(etag) == false)
        #expect(ETagCondition(text: "$1") == .reference("1"))
        for text in ["", "x", "\"x", "W/x", "*,\"a\"", "\"a\" \"b\""] { #expect(ETagCondition(text: text) == nil) }
        #expect(throws: ODataError.self) { try ETagCondition.read(.ifMatch, [.ifMatch: "x"]) }
    }

    @Test func `answers are 4,01 only where the client takes it`() throws {
        #expect(try ODataVersion.negotiate([:]) == .v40)
        #expect(try ODataVersion.negotiate([.odataMaxVersion: "4.0"]) == .v40)
        #expect(try ODataVersion.negotiate([.odataMaxVersion: "4.01"]) == .v401)
        #expect(try ODataVersion.negotiate([.odataMaxVersion: "5.0"]) == .v401)
        #expect(try ODataVersion.ofBody([.odataVersion: "4.0", .odataMaxVersion: "4.01"]) == .v40)
        for text in ["3.0", "x", "", "4.x", "4.0.1"] {
            #expect(throws: ODataError.self) { try ODataVersion.negotiate([.odataMaxVersion: text]) }
        }
        #expect(throws: ODataError.self) { try ODataVersion.ofBody([.odataVersion: "4.02"]) }
    }

    @Test func `the format follows $format, then the best of Accept`() throws {
        func json(_ format: String?, _ accept: String?) throws -> JSONFormat {
            try MediaTypes.json(format: format, fields: accept.map { [.accept: $0] } ?? [:], version: .v401)
        }
        #expect(try json(nil, nil) == JSONFormat(version: .v401))
        #expect(try json("json", "text/html") == JSONFormat(version: .v401))
        #expect(
            try json(nil, "text/html, application/json;odata.metadata=none;IEEE754Compatible=true, */*;q=0.1")
                == JSONFormat(version: .v401, metadata: .none, ieee754Compatible: true)
        )
        #expect(try json("application/json;metadata=full", nil).metadata == .full)
        for (format, accept) in [
            ("xml", nil), (nil, "text/html"), ("application/json;metadata=x", nil), (nil, "application/json;q=0"),
        ]
            as [(String?, String?)]
        {
            let error = #expect(throws: ODataError.self) { try json(format, accept) }
            #expect(error?.code == "NotAcceptable")
        }
        #expect(try MediaTypes.metadata(format: nil, fields: [.accept: "application/json"]) == .json)
        #expect(
            try MediaTypes.metadata(format: nil, fields: [.accept: "text/html,application/xml;q=0.9,*/*;q=0.8"]) == .xml
        )
        #expect(try MediaTypes.metadata(format: "application/json", fields: [:]) == .json)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ] as [(String, Int64)]
    )
    func `a date of HTTP is read and written`(text: String, seconds: Int64) {
        #expect(HTTPDate.time(text) == DateTimeOffset(seconds: seconds))
        #expect(HTTPDate.text(DateTimeOffset(seconds: seconds, nanoseconds: 999_999_999)) == text)
    }

    @Test(arguments: [
        "", "yesterday", "2026-11-21", "Sat, 32 Nov 2026 13:00:00 GMT", "Thu, 29 Feb 2023 12:00:00 GMT",
        "Sat, 21 Nov 2026 24:00:00 GMT", "Sat, 21 Nov 2026 13:60:00 GMT", "Sat, 1 Nov 2026 13:00:00 GMT",
        "Sat, 21 nov 2026 13:00:00 GMT", "Sat 21 Nov 2026 13:00:00 GMT", "Day, 21 Nov 2026 13:00:00 GMT",
        "Sat, 21 Nov 2026 13:00:00 UTC", "Sat, 21 Nov 2026 13:00:00 GMT ", "Sat,  21 Nov 2026 13:00:00 GMT",
        "Sat, 21 Nov 2026 13:00:00.5 GMT", "Sat, 21 Nov -2026 13:00:00 GMT", "Sat, 31 Dec 2016 23:59:60 GMT",
        "Saturday, 21-Nov-26 13:00:00 GMT", "Sat Nov 21 13:00:00 2026",
    ])
    func `another text is no date of HTTP`(text: String) {
        #expect(HTTPDate.time(text) == nil)
    }
}
