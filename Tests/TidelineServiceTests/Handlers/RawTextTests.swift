// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineOData

@testable import TidelineService

/// Text that comes without JSON: raw values, and keys in URLs.
struct RawTextTests {
    private static let path = "Notes('a')/Text/$value"

    private func shop() throws -> Shop {
        let shop = try Shop(open: true)
        try #require(shop.send(.put, "Notes('a')", #"{"OwnerId":1,"Text":"before"}"#).status == 204)
        return shop
    }

    /// `M\u{fc}ller` in ISO 8859-1, and a sequence that is cut off.
    @Test(arguments: [[0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72], [0x68, 0xC3]] as [[UInt8]])
    func `a raw value that is not UTF-8 is refused, and spoils nothing`(bytes: [UInt8]) throws {
        let shop = try shop()
        let reply = shop.send(.put, Self.path, bytes: bytes, ["Content-Type": "text/plain"])
        #expect(reply.status == 400 && Shop.code(reply) == "InvalidValue", "\(reply.text)")
        #expect(shop.get(Self.path).text == "before")
    }

    @Test func `a raw value in another charset is refused by that, one in UTF-8 is taken as it is`() throws {
        let shop = try shop()
        for type in ["text/plain;charset=iso-8859-1", "text/plain; format=flowed; charset=\"UTF-16\"", "text/html"] {
            let reply = shop.send(.put, Self.path, "plain", ["Content-Type": type])
            #expect(reply.status == 415 && Shop.code(reply) == "UnsupportedMediaType", "\(type): \(reply.text)")
        }
        #expect(shop.get(Self.path).text == "before")
        for type in ["text/plain", "Text/Plain; Charset=\"utf-8\"", "text/plain;charset=US-ASCII"] {
            #expect(shop.send(.put, Self.path, "M\u{fc}ller", ["Content-Type": type]).status == 204, "\(type)")
            #expect(shop.get(Self.path).text == "M\u{fc}ller")
        }
    }

    /// What no body may hold could not be referred to.
    @Test func `an upsert makes no row whose key has U+0000`() throws {
        let shop = try shop()
        let count = shop.get("Notes/$count").text
        let reply = shop.send(.put, "Notes('b%00')", #"{"OwnerId":1,"Text":"t"}"#)
        #expect(reply.status == 400 && Shop.code(reply) == "InvalidValue", "\(reply.text)")
        #expect(shop.get("Notes/$count").text == count)
    }

    @Test func `a change of each that meets none does not say that it gives them`() throws {
        let shop = try shop()
        let path = "Notes/$filter(Text%20eq%20'nothing')/$each"
        let reply = shop.send(.patch, path, #"{"Text":"x"}"#, ["Prefer": "return=representation"])
        #expect(reply.status == 204 && reply.text.isEmpty)
        #expect(reply.fields[.preferenceApplied] == nil)
        #expect(shop.get(Self.path).text == "before")
    }
}
