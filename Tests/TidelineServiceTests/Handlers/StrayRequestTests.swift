// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// What a request says that does not go with it is refused, and not passed over.
struct StrayRequestTests {
    private static let json = ["Content-Type": "application/json"]

    @Test(
        arguments: [
            (.get, "Items?$index=0", ""), (.get, "Items(1)/Tags?$index=0", ""),
            (.patch, "Items(1)?$index=0", #"{"Name":"x"}"#), (.post, "Labels?$index=0", #"{"Id":9,"Text":"x"}"#),
            (.delete, "Labels(2)?$index=1", ""), (.get, "Items?$id=Items(1)", ""),
            (.get, "Items(1)?$id=Items(2)", ""), (.delete, "Labels(2)?$id=Labels(1)", ""),
            (.post, "Labels?$id=Labels(1)", #"{"Id":9,"Text":"x"}"#),
            (.get, "Items(1)/Labels/$ref?$id=Labels(1)", ""),
        ] as [(HTTPRequest.Method, String, String)]
    )
    func `the options index and id are refused where they have no meaning`(
        method: HTTPRequest.Method,
        path: String,
        body: String
    ) throws {
        let gallery = try Gallery()
        let reply = gallery.send(method, path, body.isEmpty ? [:] : Self.json, body: body)
        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.text.contains(#""target":"$i"#), "\(reply.text)")
        #expect(gallery.data("Labels?$select=Id") == #"{"value":[{"Id":1},{"Id":2}]}"#)
    }

    @Test(
        arguments: [
            ("Items(1)/Tags/0", "GET, HEAD, OPTIONS"), ("Items(1)/Tags/-1", "GET, HEAD, OPTIONS"),
            ("Items(1)/Weight", "GET, HEAD, PUT, DELETE, OPTIONS"), ("Items(1)/Weight/$value", "GET, HEAD, OPTIONS"),
        ]
    )
    func `Allow names the methods that are taken, and no others`(path: String, allow: String) throws {
        let gallery = try Gallery()
        #expect(gallery.send(.options, path).fields[.allow] == allow)
        #expect(gallery.get(path).status == 200)
        for method in [HTTPRequest.Method.post, .patch, .put, .delete] {
            let body = method == .delete ? "" : #"{"value":1}"#
            let reply = gallery.send(method, path, body.isEmpty ? [:] : Self.json, body: body)
            let isAllowed = allow.contains(method.rawValue)
            #expect((reply.status == 405) != isAllowed, "\(method.rawValue) \(path): \(reply.status) \(reply.text)")
            if !isAllowed { #expect(reply.fields[.allow] == allow) }
        }
    }

    private func send(_ shop: Shop, _ method: HTTPRequest.Method, _ path: String, _ body: String) -> Int {
        let target = "/odata/shop/" + path
        var request = HTTPRequest(method: method, scheme: "https", authority: "Shop.example", path: target)
        request.headerFields[.odataMaxVersion] = "4.01"
        if !body.isEmpty { request.headerFields[.contentType] = "application/json" }
        return shop.service.respond(to: request, body: Array(body.utf8), user: Shop.alice).head.status.code
    }

    @Test(arguments: [
        ("https://shop.example/odata/shop/Clients(3)", 204), ("https://SHOP.example:443/odata/shop/Clients(3)", 204),
        ("http://shop.example/odata/shop/Clients(3)", 204), ("/odata/shop/Clients(3)", 204), ("Clients(3)", 204),
        ("https://evil.example/odata/shop/Clients(3)", 400), ("https://shop.example:8443/odata/shop/Clients(3)", 400),
        ("https://shop.example@evil.example/odata/shop/Clients(3)", 400),
    ])
    func `a reference to another host is none of ours`(address: String, status: Int) throws {
        let shop = try Shop(open: true)
        #expect(send(shop, .patch, "Orders(10)", #"{"Client@odata.bind":"\#(address)"}"#) == status)
        #expect(send(shop, .patch, "Orders(10)", #"{"Client":{"@id":"\#(address)"}}"#) == status)
        #expect(send(shop, .put, "Orders(10)/Client/$ref", #"{"@id":"\#(address)"}"#) == status)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == (status == 204 ? "3" : "1"))
        #expect(send(shop, .get, "$entity?$id=\(address)", "") == (status == 204 ? 200 : 400))
    }

    @Test(arguments: [
        "aggregate(Parts/Title with max as T)", "groupby((Parts/Title))",
        "groupby((Children/Name),aggregate($count as N))", "topcount(1,Parts/No)", "compute(Parts/No as N)",
        "orderby(Children/Parent/Name)",
    ])
    func `a path of $apply over a collection is not supported, and not wrong`(transformation: String) throws {
        let reply = try Gallery().get("Items?$apply=\(transformation)")
        #expect(reply.status == 501, "\(reply.status) \(reply.text)")
        #expect(reply.text.contains("over a collection"), "\(reply.text)")
    }

    @Test func `where what contains a tracked collection is gone, so is the delta link`() throws {
        let gallery = try Gallery()
        let text = gallery.get("Items(3)/Parts", ["Prefer": "track-changes"]).text
        let start = try #require(text.firstRange(of: "deltaLink\":\"")?.upperBound)
        let link = String(text[start...].prefix { $0 != "\"" })
        #expect(gallery.get(link).status == 200)
        #expect(gallery.send(.delete, "Items(3)").status == 204)
        #expect(gallery.get(link).status == 410)
        #expect(gallery.get("Items(3)/Parts").status == 404)
        #expect(gallery.get("Items(3)/Parts?$deltatoken=no").status == 404)
    }
}
