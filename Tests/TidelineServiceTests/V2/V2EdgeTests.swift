// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TidelineService

/// What version 2 is asked seldom.
struct V2EdgeTests {
    private static let json = ["Accept": "application/json"]

    @Test func `a property may be called as the wrapper of an answer`() throws {
        let shop = try Shop(open: true, adding: "CREATE TABLE Days (Id INT NOT NULL PRIMARY KEY, d TEXT, e TEXT);")
        #expect(shop.send(.post, "v2/Days", #"{"Id":1,"d":"x","e":"y"}"#, Self.json).status == 201)
        #expect(shop.send(.patch, "v2/Days(1)", #"{"d":"z"}"#, Self.json).status == 204)
        #expect(shop.send(.patch, "v2/Days(1)", #"{"d":{"e":"w"}}"#, Self.json).status == 204)
        #expect(try shop.value("SELECT d || e FROM Days") == "zw")
    }

    @Test(arguments: ["v2/", "v2/$metadata"])
    func `the documents are read and nothing else`(path: String) throws {
        let shop = try Shop(open: true)
        #expect(shop.get(path).status == 200)
        let options = shop.send(.options, path)
        #expect((options.status, options.fields[.allow]) == (204, "GET, HEAD, OPTIONS"))
        let refused = shop.send(.delete, path)
        #expect((refused.status, refused.fields[.allow]) == (405, "GET, HEAD, OPTIONS"))
    }

    @Test func `each part of a batch has the phrase of its status`() throws {
        let shop = try Shop(open: true)
        let body = """
            --b
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET Orders(10) HTTP/1.1


            --b
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET Orders(99) HTTP/1.1


            --b--

            """.replacing("\n", with: "\r\n")
        let reply = shop.send(.post, "v2/$batch", body, ["Content-Type": "multipart/mixed; boundary=b"])
        #expect(reply.text.contains("HTTP/1.1 200 OK\r\n"))
        #expect(reply.text.contains("HTTP/1.1 404 Not Found\r\n"))
    }
}
