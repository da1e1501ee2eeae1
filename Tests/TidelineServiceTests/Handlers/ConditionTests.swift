// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// If-Match and If-None-Match on everything that has a version.
///
/// Source: OData Protocol 4.01, sections 8.2.4, 8.2.5 and 11.4.1.1; RFC 9110, section 13.2.2 for their order. Unlike there,
/// If-Match compares weakly.
struct ConditionTests {
    /// Which condition is sent: `=` is the version of the row, `strong` the same without its mark, `old` another.
    private func headers(_ match: String?, _ none: String?, _ etag: String) -> [String: String] {
        func text(_ name: String) -> String {
            switch name {
            case "=": etag
            case "strong": String(etag.dropFirst(2))
            case "old": "W/\"AAAAAAAAAAAAAAAAAAAAAA\""
            case "list": "\"x\", W/\"AAAAAAAAAAAAAAAAAAAAAA\" ,\(etag)"
            default: name
            }
        }
        var headers: [String: String] = [:]
        if let match { headers["If-Match"] = text(match) }
        if let none { headers["If-None-Match"] = text(none) }
        return headers
    }

    @Test func `what has no version is none of those that are named`() throws {
        let depot = try Depot()
        for (method, path, body) in [
            (.get, "Items", ""), (.post, "Labels", ##"{"Id":9,"Text":"t"}"##),
        ] as [(HTTPRequest.Method, String, String)] {
            let other = depot.send(method, path, body, ["If-Match": "\"x\""])
            #expect(other.status == 412 && other.code == "PreconditionFailed", "\(other.text)")
            #expect(depot.send(method, path, body, ["If-Match": "*"]).status == (method == .get ? 200 : 201))
        }
        #expect(try depot.value("SELECT count(*) FROM Labels") == "3")
        let counter = try Counter.shop()
        let total = try counter.value("SELECT sum(Total) FROM Orders")
        #expect(counter.send(.post, "Reset", "{}", ["If-Match": "\"x\""]).status == 412)
        #expect(try counter.value("SELECT sum(Total) FROM Orders") == total)
    }

    @Test func `what holds values of others is sent, whichever version of its entity the client has`() throws {
        let shop = try Shop(open: true)
        let tag = shop.etag("Clients(1)")
        #expect(shop.get("Clients(1)", ["If-None-Match": tag]).status == 304)
        #expect(shop.get("Clients(1)?$select=Name", ["If-None-Match": tag]).status == 304)
        for options in ["$expand=Orders", "$select=Name&$expand=Orders/$count", "$compute=Orders/$count add 1 as N"] {
            #expect(shop.get("Clients(1)?\(options)", ["If-None-Match": tag]).status == 200, "\(options)")
        }
        #expect(shop.get("Clients(1)?$expand=Orders", ["If-Match": "W/\"x\""]).status == 412)
    }

    private static let reads: [(String?, String?, Int)] = [
        ("=", nil, 200), ("strong", nil, 200), ("*", nil, 200), ("list", nil, 200), ("old", nil, 412),
        ("\"x\"", nil, 412),
        (nil, "=", 304), (nil, "strong", 304), (nil, "*", 304), (nil, "list", 304), (nil, "old", 200),
        ("=", "old", 200),
        ("=", "=", 304), ("old", "=", 412), ("old", "old", 412), ("nonsense", nil, 400), (nil, "W/x", 400),
        ("", nil, 200),
    ]

    @Test(
        .covers("OD-1.1.26", "OD-1.1.11"),
        arguments: [
            "Items(1)", "Items(1)/Name", "Items(1)/Name/$value", "Items(1)/Address", "Items(1)/Tags", "Best",
            "Items(2)/Parent", "Items(1)/Photo", "Pictures(1)/$value", "Items(1)/Parts(1)",
        ]
    )
    func `a read heeds its conditions, on an entity and on each part of it`(path: String) throws {
        let depot = try Depot()
        let first = depot.get(path)
        let etag = try #require(first.fields[.eTag])
        for (match, none, status) in Self.reads {
            let reply = depot.get(path, headers(match, none, etag))
            #expect(reply.status == status, "\(path) \(match ?? "-") \(none ?? "-")")
            if status == 304 { #expect(reply.bytes.isEmpty && reply.fields[.eTag] == etag) }
            if status == 200 { #expect(reply.bytes == first.bytes) }
        }
    }

    private static let writes: [(String?, String?, Int)] = [
        ("=", nil, 204), ("strong", nil, 204), ("*", nil, 204), ("list", nil, 204), ("old", nil, 412), (nil, "*", 412),
        (nil, "=", 412), (nil, "old", 204), ("=", "old", 204), ("=", "=", 412), ("old", "old", 412),
        ("nonsense", nil, 400),
        (nil, nil, 204),
    ]

    @Test(
        .covers("OD-1.1.26"),
        arguments: [
            (HTTPRequest.Method.patch, "Labels(1)", ##"{"Text":"x"}"##), (.put, "Labels(1)", ##"{"Text":"x"}"##),
            (.delete, "Items(1)/Parts(2)", ""), (.put, "Labels(1)/Text", ##"{"value":"x"}"##),
            (.put, "Labels(1)/Text/$value", "x"), (.delete, "Items(1)/Color", ""),
            (.patch, "Items(1)/Address", ##"{"City":"x"}"##), (.put, "Items(1)/Address", ##"{"City":"x"}"##),
            (.delete, "Items(1)/Address", ""), (.put, "Items(1)/Tags", ##"{"value":[]}"##),
            (.post, "Items(1)/Tags", ##"{"value":"x"}"##), (.patch, "Best", ##"{"Name":"x"}"##),
            (.put, "Items(1)/Photo", "x"), (.delete, "Items(1)/Photo", ""),
            (.put, "Items(3)/Parent/$ref", ##"{"@id":"Items(1)"}"##), (.delete, "Items(3)/Parent/$ref", ""),
        ]
    )
    func `a change heeds its conditions, or does nothing`(method: HTTPRequest.Method, path: String, body: String) throws
    {
        for (match, none, status) in Self.writes {
            let depot = try Depot()
            let owner = path.replacing("/$value", with: "").replacing("/$ref", with: "")
            let entity = String(owner.prefix { $0 != "(" }) + owner.drop { $0 != "(" }.prefix { $0 != "/" }
            let versioned = path.contains("Parts") ? path : entity
            let etag = depot.etag(versioned)
            #expect(!etag.isEmpty, "\(versioned)")
            let isText = path.hasSuffix("$value") || path.hasSuffix("Photo")
            let type = ["Content-Type": isText ? "text/plain" : "application/json"]
            let reply = depot.send(method, path, body, headers(match, none, etag).merging(type) { $1 })
            let place = "\(method.rawValue) \(path) \(match ?? "-") \(none ?? "-") \(reply.text)"
            #expect(reply.status == status, "\(place)")
            if status != 204 { #expect(depot.etag(versioned) == etag, "\(place)") }
            if status == 412 { #expect(reply.code == "PreconditionFailed", "\(place)") }
        }
    }

    @Test(.covers("OD-1.1.29", "OD-1.1.26"))
    func `an upsert is told what may be there`() throws {
        let depot = try Depot()
        let old = "W/\"AAAAAAAAAAAAAAAAAAAAAA\""
        for (method, key) in [(HTTPRequest.Method.put, 20), (.patch, 30)] {
            #expect(depot.send(method, "Labels(\(key))", ##"{"Text":"a"}"##, ["If-Match": "*"]).status == 412)
            #expect(depot.send(method, "Labels(\(key))", ##"{"Text":"a"}"##, ["If-Match": old]).status == 412)
            #expect(depot.get("Labels(\(key))").status == 404)
            #expect(depot.send(method, "Labels(\(key))", ##"{"Text":"a"}"##, ["If-None-Match": old]).status == 201)
            #expect(depot.send(method, "Labels(\(key + 1))", ##"{"Text":"a"}"##, ["If-None-Match": "*"]).status == 201)
            #expect(depot.send(method, "Labels(\(key + 1))", ##"{"Text":"b"}"##, ["If-None-Match": "*"]).status == 412)
            #expect(depot.get("Labels(\(key + 1))/Text/$value").text == "a")
            let made = depot.send(method, "Labels(\(key + 2))", ##"{"Text":"a"}"##, ["Prefer": "return=minimal"])
            #expect(made.status == 204)
            #expect(made.fields[.odataEntityId] == "/odata/art/Labels(\(key + 2))")
            #expect(made.fields[.location] == "/odata/art/Labels(\(key + 2))")
            #expect(made.fields[.eTag] == depot.etag("Labels(\(key + 2))"))
        }
    }

    @Test(
        .covers("OD-1.1.26"),
        arguments: [
            (HTTPRequest.Method.patch, "Labels(1)", ##"{"Text":"x"}"##), (.put, "Labels(1)", ##"{"Text":"x"}"##),
            (.delete, "Labels(1)", ""), (.put, "Labels(1)/Text", ##"{"value":"x"}"##), (.delete, "Items(1)/Color", ""),
            (.patch, "Items(1)/Address", ##"{"City":"x"}"##), (.post, "Items(1)/Tags", ##"{"value":"x"}"##),
        ]
    )
    func `where a version must be named, a change without one is refused`(
        method: HTTPRequest.Method,
        path: String,
        body: String
    ) throws {
        let depot = try Depot(requiresIfMatch: true)
        let reply = depot.send(method, path, body)
        #expect(reply.status == 428 && reply.code == "PreconditionRequired", "\(reply.text)")
        if path != "Labels(1)" || method != .delete {
            #expect(depot.send(method, path, body, ["If-Match": "*"]).status == 204)
        }
        // A create names no version.
        #expect(depot.send(.put, "Labels(50)", ##"{"Text":"x"}"##).status == 201)
        #expect(depot.send(.post, "Labels", ##"{"Id":51,"Text":"x"}"##).status == 201)
    }

    @Test(.covers("OD-1.1.11"))
    func `a batch as a whole has no version`() throws {
        let depot = try Depot()
        let body = ##"{"requests":[{"id":"1","method":"delete","url":"Labels(2)"}]}"##
        for name in ["If-Match", "If-None-Match"] {
            let reply = depot.send(.post, "$batch", body, [name: "*"])
            #expect((400..<500).contains(reply.status), "\(reply.text)")
            #expect(depot.get("Labels(2)").status == 200)
        }
    }
}
