// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

struct MultipartBatchTests {
    private func part(_ request: String, id: String? = nil, body: String? = nil, fields: [String] = []) -> String {
        var lines = ["Content-Type: application/http", "Content-Transfer-Encoding: binary"]
        if let id { lines.append("Content-ID: \(id)") }
        lines += ["", "\(request) HTTP/1.1"] + fields
        if body != nil { lines.append("Content-Type: application/json") }
        return (lines + ["", body ?? ""]).joined(separator: "\r\n")
    }

    private func changeSet(_ parts: [String]) -> String {
        "Content-Type: multipart/mixed;boundary=cs\r\n\r\n" + parts.map { "--cs\r\n\($0)\r\n" }.joined() + "--cs--\r\n"
    }

    private func send(_ shop: Shop, _ parts: [String], _ headers: [String: String] = [:]) -> Shop.Reply {
        let body = parts.map { "--b_1\r\n\($0)\r\n" }.joined() + "--b_1--\r\n"
        var headers = headers
        headers["Content-Type"] = "multipart/mixed;boundary=b_1"
        return shop.send(.post, "$batch", body, headers)
    }

    /// The status lines, indented where they stand in a change set.
    private func outline(_ reply: Shop.Reply) -> [String] {
        var lines: [String] = []
        var isInSet = false
        for line in reply.text.split(separator: "\r\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("Content-Type: multipart/mixed") { isInSet = true }
            if line.hasPrefix("--changeset"), line.hasSuffix("--") { isInSet = false }
            if line.hasPrefix("HTTP/1.1 ") { lines.append((isInSet ? "  " : "") + line.dropFirst(9).prefix(3)) }
        }
        return lines
    }

    @Test(.covers("OD-1.3.11", "OD-1.6.7"))
    func `requests and change sets are answered in their order and structure`() throws {
        let shop = try Shop()
        let reply = send(
            shop,
            [
                part("GET Clients(1)"),
                changeSet([
                    part("POST Notes", id: "1", body: #"{"NoteId":"m1","OwnerId":1}"#),
                    part("PATCH Notes('a')", id: "2", body: #"{"Text":"new"}"#),
                ]),
                part("GET Notes/$count"),
            ]
        )
        #expect(reply.status == 200)
        #expect(reply.fields[.contentType]?.hasPrefix("multipart/mixed; boundary=batch_") == true)
        #expect(outline(reply) == ["200", "  201", "  204", "200"])
        #expect(reply.text.contains("Content-ID: 1\r\n\r\nHTTP/1.1 201 Created\r\n"))
        #expect(reply.text.hasSuffix("--\r\n"))
        #expect(try shop.value("SELECT Text FROM Notes WHERE NoteId = 'a'") == "new")
    }

    @Test(.covers("OD-1.3.11"))
    func `absolute URLs, paths with a host and relative URLs all lead to the service`() throws {
        let shop = try Shop()
        let reply = send(
            shop,
            [
                part("GET http://example.org/odata/shop/Clients(1)/Name"),
                part("GET /odata/shop/Clients(1)/Name", fields: ["Host: example.org"]), part("GET Clients%281%29/Name"),
            ]
        )
        #expect(outline(reply) == ["200", "200", "200"])
    }

    @Test(.covers("OD-1.3.11"))
    func `the first error ends a batch unless it shall go on`() throws {
        let shop = try Shop()
        let parts = [part("GET Clients(1)"), part("GET Clients(2)"), part("GET Clients(3)")]
        #expect(outline(send(shop, parts)) == ["200", "404"])
        let going = send(shop, parts, ["Prefer": "odata.continue-on-error"])
        #expect(outline(going) == ["200", "404", "200"])
        #expect(going.fields[.preferenceApplied] == "odata.continue-on-error=true")
    }

    @Test(.covers("OD-1.3.11"))
    func `a change set that fails is undone and has one answer`() throws {
        let shop = try Shop()
        let reply = send(
            shop,
            [
                changeSet([
                    part("POST Notes", id: "1", body: #"{"NoteId":"m1","OwnerId":1}"#),
                    part("POST Notes", id: "2", body: #"{"NoteId":"m2","OwnerId":2}"#),
                ]), part("GET Clients(1)"),
            ],
            ["Prefer": "continue-on-error"]
        )
        #expect(outline(reply) == ["403", "200"])
        #expect(reply.text.contains("Content-ID: 2\r\n\r\nHTTP/1.1 403"))
        #expect(try shop.value("SELECT count(*) FROM Notes") == "3")
    }

    @Test(.covers("OD-1.3.11"))
    func `requests refer to what earlier ones made, and to its version`() throws {
        let shop = try Shop()
        let reply = send(
            shop,
            [
                changeSet([
                    part("POST Clients", id: "1", body: #"{"Name":"Dan","OwnerId":1}"#),
                    part("POST $1/Orders", id: "2", body: #"{"OrderId":60}"#),
                ]), part("PATCH $2", body: #"{"Title":"x"}"#, fields: ["If-Match: $2"]),
                part("PATCH $2", body: #"{"Title":"y"}"#, fields: ["If-Match: $2"]),
            ]
        )
        #expect(outline(reply) == ["  201", "  201", "204", "412"])
        #expect(try shop.value("SELECT Title || ClientId FROM Orders WHERE OrderId = 60") == "x4")
    }

    @Test
    func `stray line feeds, bare line feeds and missing blanks are read`() throws {
        let shop = try Shop()
        let body =
            "preamble\n--b\nContent-Type: application/http \n\nContent-Transfer-Encoding:binary\n\nGET Clients(1)/Name\n"
            + "Accept:application/json\n\n\n--b--"
        let reply = shop.send(.post, "$batch", body, ["Content-Type": "multipart/mixed;boundary=\"b\""])
        #expect(outline(reply) == ["200"])
    }

    @Test(arguments: [
        "", "--b", "--b\r\n\r\nGET Clients HTTP/1.1\r\n\r\n", "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--",
        "--b\r\n\r\n\r\n--b--", "--b\r\n\r\nnonsense\r\n\r\n--b--",
    ])
    func `what is no multipart batch is refused whole`(body: String) throws {
        let shop = try Shop()
        let reply = shop.send(.post, "$batch", body, ["Content-Type": "multipart/mixed;boundary=b"])
        #expect(reply.status == 400)
        #expect(shop.send(.post, "$batch", "--b--", ["Content-Type": "multipart/mixed"]).status == 400)
    }

    @Test
    func `a change set holds changes only, under different names`() throws {
        let shop = try Shop()
        #expect(send(shop, [changeSet([part("GET Clients", id: "1")])]).status == 400)
        let twice = [part("DELETE Notes('a')", id: "1"), part("DELETE Notes('c')", id: "1")]
        #expect(send(shop, [changeSet(twice)]).status == 400)
        #expect(outline(send(shop, [part("POST $batch", body: "{}")])) == ["405"])
    }

    @Test(.covers("OD-1.6.7"))
    func `a condition decides whether a request is carried out`() throws {
        let shop = try Shop()
        func request(_ id: String, _ url: String, _ more: String) -> String {
            #"{"id":"\#(id)","method":"GET","url":"\#(url)"\#(more)}"#
        }
        let reply = shop.send(
            .post,
            "$batch",
            #"{"requests":["#
                + [
                    request("1", "Clients(1)", ""), request("2", "Clients(2)", ""),
                    request("3", "Clients(3)", #","dependsOn":["2"],"if":"$2/$succeeded eq false""#),
                    request("4", "Clients(3)", #","dependsOn":["1"],"if":"$1/Name eq 'Ann' and $1/ClientId gt 5""#),
                    request("5", "Clients(3)", #","dependsOn":["1"],"if":"$1/Name eq 'Ann'""#),
                    request("6", "Clients(3)", #","dependsOn":["1"],"if":"Name eq 'Ann'""#),
                ].joined(separator: ",") + "]}"
        )
        let statuses = reply.text.split(separator: "\"status\":").dropFirst().map { Int($0.prefix(3)) }
        #expect(statuses == [200, 404, 200, 424, 200, 400])
    }

    @Test
    func `what belongs to a request is refused on the batch`() throws {
        let shop = try Shop()
        #expect(send(shop, [], ["Prefer": "return=minimal"]).status == 400)
        let rejected = send(shop, [], ["Repeatability-First-Sent": "Sat, 21 Nov 2026 13:00:00 GMT"])
        #expect(rejected.status == 400)
        #expect(rejected.fields[.repeatabilityResult] == "rejected")
    }
}
