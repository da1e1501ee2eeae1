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

    @Test func `what looks like an address in the query of a batch request is none`() throws {
        let shop = try Shop(open: true)
        let url = "Clients?$filter=Name eq 'http://a.b/c'&$select=Name"
        let body = #"{"requests":[{"id":"1","method":"get","url":"\#(url)"}]}"#
        let reply = shop.send(.post, "$batch", body)
        #expect(reply.text.contains(#""status":200"#) && reply.text.contains(#""value":[]"#), "\(reply.text)")
    }

    @Test func `an item that is added at a place is answered with the collection where that is asked for`() throws {
        let gallery = try Gallery()
        let headers = ["Content-Type": "application/json", "Prefer": "return=representation"]
        let reply = gallery.send(.post, "Items(1)/Tags?$index=0", headers, body: #"{"value":"first"}"#)
        #expect(reply.status == 200 && reply.text.contains(#""value":["first","#), "\(reply.status) \(reply.text)")
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
