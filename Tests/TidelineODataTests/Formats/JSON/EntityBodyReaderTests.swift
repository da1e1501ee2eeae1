// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct EntityBodyReaderTests {
    private func read(_ text: String, version: ODataVersion = .v401) throws -> EntityBody {
        try EntityBodyReader(type: Samples.orders.type, version: version).read(Array(text.utf8))
    }

    @Test func `values go to the places of their properties, checked`() throws {
        let body = try read(
            ##"{"@context":"x","Note":"n","Total":1.5,"Big":"7","Paid":true,"Placed":"2026-11-21T10:00:00Z","##
                + ##""Photo":"Zm8","Note@odata.type":"#String","ClientId":null}"##
        )
        let expected: [EntityBody.Assignment] = [
            .init(property: 2, value: .string("n")),
            .init(property: 3, value: .decimal(EdmDecimal(coefficient: 15, scale: 1))),
            .init(property: 4, value: .integer(7)), .init(property: 6, value: .boolean(true)),
            .init(property: 1, value: .dateTimeOffset(DateTimeOffset(seconds: 1_795_255_200))),
            .init(property: 5, value: .binary([0x66, 0x6F])), .init(property: 8, value: .null),
        ]
        #expect(body.assignments == expected)
        #expect(body.binds.isEmpty)
    }

    @Test func `binds are read in each of their forms`() throws {
        let client = EntityBody.Bind(navigation: 0, references: ["Clients(5)"])
        #expect(try read(#"{"Client@odata.bind":"Clients(5)"}"#).binds == [client])
        #expect(try read(#"{"Client@bind":"Clients(5)"}"#).binds == [client])
        #expect(try read(#"{"Client":{"@id":"Clients(5)"}}"#).binds == [client])
        #expect(try read(#"{"Client":{"@odata.id":"Clients(5)"}}"#).binds == [client])
        #expect(try read(#"{"Client":null}"#).binds == [.init(navigation: 0, references: [])])
        #expect(
            try read(#"{"Lines@odata.bind":["$1","$2"]}"#).binds == [.init(navigation: 1, references: ["$1", "$2"])]
        )
        // In 4.01 a list is all that shall be related, and not what is added.
        let nested = try read(#"{"Lines":[{"@id":"$1"},{"@id":"$2"}]}"#).nested
        #expect(nested.map(\.form) == [.whole])
        #expect(nested.first?.members.map(\.id) == ["$1", "$2"])
    }

    @Test func `the ETag of a body counts in 4,01 only`() throws {
        let text = #"{"@etag":"W/\"x\""}"#
        #expect(try read(text).etag == .tags(["x"]))
        #expect(try read(text, version: .v40).etag == nil)
    }

    @Test func `what the database computes is passed over`() throws {
        let body = try read(#"{"Stamp":"a0000000-0000-0000-0000-000000000001","OrderId":null}"#)
        #expect(body.assignments.isEmpty)
        #expect(try read(#"{"OrderId":-1}"#).assignments == [.init(property: 0, value: .integer(-1))])
    }

    @Test(arguments: [
        (#"{"Nope":1}"#, "UnknownProperty", "Nope"), (#"{"Draft":"x"}"#, "UnknownProperty", "Draft"),
        (#"{"Total":"x"}"#, "InvalidValue", "Total"), (#"{"Paid":null}"#, "InvalidValue", "Paid"),
        (#"{"Paid":"true"}"#, "InvalidValue", "Paid"), (#"{"Note":5}"#, "InvalidValue", "Note"),
        (#"{"Note":{"a":1}}"#, "InvalidValue", "Note"), (#"{"Total":1.23456}"#, "InvalidValue", "Total"),
        (#"{"Note":"012345678901234567890"}"#, "InvalidValue", "Note"),
        (#"{"Note":"a","Note":"b"}"#, "InvalidBody", "Note"),
        (#"{"Client":{"Name":"x"}}"#, "NotSupported", "Client"),
        (#"{"Lines":[{"Code":"x"}]}"#, "NotSupported", "Lines"),
        (#"{"Client":5}"#, "InvalidValue", "Client"), (#"{"Nope@odata.bind":"x"}"#, "UnknownProperty", "Nope"),
        (#"{"Client":null,"Client@bind":"Clients(1)"}"#, "InvalidBody", "Client"),
        (#"{"@etag":"x"}"#, "InvalidValue", "@etag"),
    ])
    func `what cannot be stored is refused with its name`(text: String, code: String, target: String) {
        let error = #expect(throws: ODataError.self) { try read(text) }
        #expect(error?.code == code)
        #expect(error?.target == target)
    }
}
