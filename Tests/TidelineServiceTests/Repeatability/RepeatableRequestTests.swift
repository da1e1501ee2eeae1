// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

struct RepeatableRequestTests {
    private func fields(_ id: String?, _ date: String?, _ client: String?) -> HTTPFields {
        var fields = HTTPFields()
        fields[.repeatabilityRequestID] = id
        fields[.repeatabilityFirstSent] = date
        fields[.repeatabilityClientID] = client
        return fields
    }

    private static let date = "Sat, 21 Nov 2026 13:00:00 GMT"

    @Test
    func `the transaction number stands in the low bits of a version 8 UUID`() throws {
        let id = "0123456789AB-8000-8000-00000000002A"
        let uuid = "01234567-89AB-8000-8000-00000000002A"
        let request = try RepeatableRequest.read(fields(uuid, Self.date, "c1"))
        #expect(request?.number == 42)
        #expect(request?.id == uuid.lowercased())
        #expect(request?.client == "c1")
        #expect(throws: ODataError.self) { try RepeatableRequest.read(fields(id, Self.date, "c1")) }
    }

    @Test(arguments: [
        "01234567-89ab-4000-8000-00000000002a", "01234567-89ab-8001-8000-00000000002a",
        "01234567-89ab-8000-c000-00000000002a",
        "01234567-89ab-8000-8000-000000000000",
    ])
    func `other UUIDs carry no number`(uuid: String) throws {
        #expect(try RepeatableRequest.read(fields(uuid, Self.date, "c1"))?.number == nil)
    }

    @Test
    func `without a client the request stands for itself`() throws {
        let uuid = "01234567-89ab-8000-8000-00000000002a"
        let request = try RepeatableRequest.read(fields(uuid, Self.date, nil))
        #expect(request?.client == "\nrequest:\(uuid)")
        #expect(request?.number == nil)
    }

    @Test
    func `a request without the fields is not repeatable`() throws {
        #expect(try RepeatableRequest.read(fields(nil, nil, "c1")) == nil)
    }

    @Test(
        arguments: [
            (nil, date, "c"), ("01234567-89ab-8000-8000-00000000002a", nil, "c"), ("nonsense", date, "c"),
            ("01234567-89ab-8000-8000-00000000002a", "yesterday", "c"),
            ("01234567-89ab-8000-8000-00000000002a", date, ""),
            ("01234567-89ab-8000-8000-00000000002a", "Sat, 32 Nov 2026 13:00:00 GMT", "c"),
        ] as [(String?, String?, String?)]
    )
    func `half of the fields, or malformed ones, are refused`(id: String?, date: String?, client: String?) {
        let error = #expect(throws: ODataError.self) { try RepeatableRequest.read(fields(id, date, client)) }
        #expect(error?.code == "InvalidRepeatability")
    }

    @Test
    func `kept answers are given again word for word`() throws {
        let model = try Domain(yaml: DomainTests.text).model
        let set = try #require(model[set: "Clients"])
        var fields = HTTPFields()
        fields[.contentType] = "application/json"
        let answers = [
            Answer(.noContent),
            Answer(
                .created,
                fields: fields,
                body: .bytes([1, 2, 3]),
                entity: Call.Reference(set: set, key: Key([.integer(5)]), etag: ETag(high: 1, low: 2))
            ),
        ]
        let bytes = AnswerCodec.encode(answers)
        let decoded = try #require(AnswerCodec.decode(bytes, model))
        #expect(decoded.map(\.status.code) == [204, 201])
        #expect(decoded[1].bytes == [1, 2, 3])
        #expect(decoded[1].fields[.contentType] == "application/json")
        #expect(decoded[1].entity?.key == Key([.integer(5)]))
        #expect(decoded[1].entity?.etag == ETag(high: 1, low: 2))
        for count in 0..<bytes.count { #expect(AnswerCodec.decode(Array(bytes[..<count]), model) == nil) }
    }
}
