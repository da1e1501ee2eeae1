// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineClient

/// What OData asks of a client: Protocol 4.01, section 13.3, as far as single requests show it.
struct ClientConformanceTests {
    private func client(_ transport: ScriptedTransport) throws -> ODataClient {
        ODataClient(
            session: Session(address: try ServiceAddress("http://127.0.0.1/odata/shop/"), transport: transport)
        )
    }

    @Test(.covers("OD-1.7.1", "OD-1.7.14", "OD-1.8.1", "OD-1.8.6"))
    func `every request says what it understands, and asks neither for streaming nor for more than it needs`()
        async throws
    {
        let transport = ScriptedTransport { request, _ in
            switch request.path {
            case "/odata/shop/": .json(#"{"value":[]}"#)
            case "/odata/shop/$metadata": .json(Self.smallest)
            case "/odata/shop/$batch": .json(#"{"responses":[]}"#)
            default: .json(#"{"value":[]}"#)
            }
        }
        let client = try client(transport)
        _ = try await client.entitySets()
        _ = try await client.model()
        _ = try await client.batch(Array(#"{"requests":[]}"#.utf8))
        _ = try await client.get("Orders", preferences: "maxpagesize=5")
        _ = try await client.send(.post, "Orders", body: Array("{}".utf8))
        _ = try await client.send(.delete, "Orders(1)")
        #expect(transport.requests.count == 6)
        for request in transport.requests {
            #expect(request.headerFields[.odataMaxVersion] == "4.01", "\(request.path ?? "")")
            let accept = request.headerFields[.accept] ?? ""
            #expect(!accept.contains("streaming"))
            #expect(!accept.contains("metadata=full"))
        }
        #expect(
            transport.paths("/odata/shop/Orders")[0].headerFields[.accept] == "application/json;odata.metadata=minimal"
        )
    }

    @Test(.covers("OD-1.7.2"))
    func `a payload has its version and its type, and a request without one says nothing of them`() async throws {
        let transport = ScriptedTransport { _, _ in .json(#"{"responses":[]}"#) }
        let client = try client(transport)
        let body = Array("{}".utf8)
        for method in [HTTPRequest.Method.post, .patch, .put] {
            _ = try await client.send(method, "Orders(1)", body: body)
        }
        _ = try await client.batch(body)
        _ = try await client.send(
            .put,
            "Orders(1)/Photo",
            fields: [.contentType: "image/png", .odataVersion: "4.0"],
            body: body
        )
        let types = transport.requests.map { $0.headerFields[.contentType] }
        #expect(types == Array(repeating: "application/json", count: 4) + ["image/png"])
        let versions = transport.requests.map { $0.headerFields[.odataVersion] }
        #expect(versions == Array(repeating: "4.01", count: 4) + ["4.0"])
        _ = try await client.get("Orders")
        // A service of 4.0 would refuse a version that it does not know, for no payload at all.
        #expect(transport.requests.last?.headerFields[.odataVersion] == nil)
        #expect(transport.requests.last?.headerFields[.contentType] == nil)
    }

    // MARK: Redirects

    @Test(.covers("OD-1.7.4", "MD-I69"), arguments: [301, 302, 303, 307, 308])
    func `a read follows a redirect with all that it asked`(status: Int) async throws {
        let transport = ScriptedTransport { request, _ in
            request.path == "/odata/shop/Orders?$top=1"
                ? .status(status, [.location: "http://127.0.0.1/odata/new/Orders?$top=1"]) : .json(#"{"value":[]}"#)
        }
        let response = try await client(transport).get("Orders?$top=1", preferences: "maxpagesize=7")
        #expect(response.head.status.code == 200)
        #expect(transport.requests.map(\.path) == ["/odata/shop/Orders?$top=1", "/odata/new/Orders?$top=1"])
        #expect(transport.requests[1].method == .get)
        #expect(transport.requests[1].headerFields[.prefer] == "maxpagesize=7")
        #expect(transport.requests[1].headerFields[.odataMaxVersion] == "4.01")
    }

    @Test(.covers("OD-1.7.4"), arguments: [307, 308])
    func `a write is repeated as it is where the redirect keeps the method`(status: Int) async throws {
        let bodies = Mutex<[[UInt8]]>([])
        let transport = ScriptedTransport { request, body in
            bodies.withLock { $0.append(body) }
            return request.path == "/odata/shop/Orders"
                ? .status(status, [.location: "/odata/shop/NewOrders"]) : .json("{}", status: 201)
        }
        let body = Array(#"{"OrderId":1}"#.utf8)
        let response = try await client(transport).send(.post, "Orders", body: body)
        #expect(response.head.status.code == 201)
        #expect(transport.requests.map(\.method) == [.post, .post])
        #expect(transport.requests.map(\.path) == ["/odata/shop/Orders", "/odata/shop/NewOrders"])
        #expect(bodies.withLock(\.self) == [body, body])
        #expect(transport.requests[1].headerFields[.contentType] == "application/json")
    }

    @Test(.covers("OD-1.7.4"), arguments: [301, 302, 303])
    func `a write never turns into a read`(status: Int) async throws {
        let transport = ScriptedTransport { _, _ in .status(status, [.location: "/odata/shop/Other"]) }
        await #expect { try await client(transport).send(.post, "Orders", body: Array("{}".utf8)) } throws: {
            ($0 as? ClientError)?.code == .redirected
        }
        #expect(transport.requests.count == 1)
    }

    @Test(.covers("MD-I69"))
    func `five redirects in a row are followed, and a sixth is not`() async throws {
        let transport = ScriptedTransport { request, _ in
            let place = request.path?.last?.wholeNumberValue ?? 0
            return place == 0 ? .json(#"{"value":[]}"#) : .status(307, [.location: "Hop\(place - 1)"])
        }
        let client = try client(transport)
        let response = try await client.get("Hop5")
        #expect(response.head.status.code == 200)
        let hops = ["Hop5", "Hop4", "Hop3", "Hop2", "Hop1", "Hop0"].map { "/odata/shop/" + $0 }
        #expect(transport.requests.map(\.path) == hops)
        await #expect { try await client.get("Hop6") } throws: { ($0 as? ClientError)?.code == .redirected }
        #expect(transport.requests.dropFirst(6).map(\.path) == ["/odata/shop/Hop6"] + hops.dropLast())
    }

    @Test(.covers("OD-1.7.4", "MD-I69"))
    func `redirects that lead in circles end`() async throws {
        let transport = ScriptedTransport { request, _ in
            .status(307, [.location: request.path == "/odata/shop/A" ? "B" : "A"])
        }
        await #expect { try await client(transport).get("A") } throws: { ($0 as? ClientError)?.code == .redirected }
        #expect(transport.requests.count == 6)
        #expect(transport.requests.prefix(3).map(\.path) == ["/odata/shop/A", "/odata/shop/B", "/odata/shop/A"])
    }

    @Test(
        .covers("OD-1.7.4"),
        arguments: [
            "https://127.0.0.1/odata/shop/Orders", "http://other.example/Orders", "//other.example/Orders",
            "http://127.0.0.1:81/Orders", "ftp://127.0.0.1/Orders",
        ]
    )
    func `a redirect to another origin is told and not followed`(location: String) async throws {
        let transport = ScriptedTransport { _, _ in .status(308, [.location: location]) }
        await #expect { try await client(transport).get("Orders") } throws: {
            ($0 as? ClientError)?.code == .redirected
        }
        #expect(transport.requests.count == 1)
    }

    /// RFC 3986, section 5.4, as far as a path and a query go.
    @Test(
        .covers("OD-1.7.4", "OD-1.7.5"),
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"), ("", "/b/c/d;p?q"),
            (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
            ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
            ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g?y/../x", "/b/c/g?y/../x"),
            ("Orders('a:b')?$top=1", "/b/c/Orders('a:b')?$top=1"),
        ]
    )
    func `a relative reference is resolved as RFC 3986 says`(reference: String, expected: String) throws {
        #expect(try ServiceAddress("http://a/").resolve(reference, from: "/b/c/d;p?q") == expected)
    }

    // MARK: Links

    @Test(
        .covers("OD-1.7.5"),
        arguments: [
            ("http://127.0.0.1/odata/shop/Orders?$skiptoken=x", nil, "/odata/shop/Orders?$skiptoken=x"),
            ("/odata/shop/Orders?$skiptoken=x", nil, "/odata/shop/Orders?$skiptoken=x"),
            ("Orders?$skiptoken=x", nil, "/odata/shop/Clients(1)/Orders?$skiptoken=x"),
            ("Orders?$skiptoken=x", "http://127.0.0.1/odata/shop/$metadata#Orders", "/odata/shop/Orders?$skiptoken=x"),
            ("Orders?$skiptoken=x", "../$metadata#Orders", "/odata/shop/Orders?$skiptoken=x"),
            ("?$skiptoken=x", nil, "/odata/shop/Clients(1)/Orders?$skiptoken=x"),
        ] as [(String, String?, String)]
    )
    func `a next link stands relative to its context, or to its request`(
        link: String,
        context: String?,
        expected: String
    ) throws {
        let client = try client(ScriptedTransport { _, _ in .status(200) })
        #expect(try client.address(of: link, context: context, request: "Clients(1)/Orders?$top=9") == expected)
    }

    @Test(.covers("OD-1.7.5", "OD-1.7.19"))
    func `an answer to a batch that comes in pieces is read whole`() async throws {
        let transport = ScriptedTransport { request, _ in
            switch request.path {
            case "/odata/shop/$batch":
                .json(#"{"responses":[{"id":"2","status":204}],"@nextLink":"$batch?page=2"}"#)
            case "/odata/shop/$batch?page=2":
                .json(#"{"@nextLink":"/odata/shop/$batch?page=3","responses":[{"id":"1","status":404}]}"#)
            default: .json(#"{"responses":[{"id":"3","status":200,"body":{"a":1},"unknown":{}}]}"#)
            }
        }
        let (_, batch) = try await client(transport).batch(Array(#"{"requests":[]}"#.utf8))
        #expect(batch.items.map(\.id) == ["2", "1", "3"])
        #expect(batch.items.map(\.status) == [204, 404, 200])
        #expect(transport.requests.map(\.method) == [.post, .get, .get])
    }

    // MARK: Metadata

    private static let smallest =
        #"{"$Version":"4.01","$EntityContainer":"S.C","S":{"T":{"$Kind":"EntityType","$Key":["Id"],"Id":{"$Type":"Edm.Int32"}},"#
        + #""C":{"$Kind":"EntityContainer","Ts":{"$Collection":true,"$Type":"S.T"}}}}"#

    @Test(.covers("OD-1.7.18"), arguments: ["application/xml", "text/xml", "application/xml;charset=utf-8"])
    func `metadata is read in XML where the service has no JSON`(type: String) async throws {
        let xml =
            #"<?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">"#
            + #"<edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="T">"#
            + #"<Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>"#
            + #"<EntityContainer Name="C"><EntitySet Name="Ts" EntityType="S.T"/></EntityContainer></Schema>"#
            + #"</edmx:DataServices></edmx:Edmx>"#
        let transport = ScriptedTransport { _, _ in
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: type, .odataVersion: "4.0"])
            return TransportResponse(head: head, body: Array(xml.utf8))
        }
        #expect(try await client(transport).model().sets.map(\.names.wire) == ["Ts"])
        #expect(transport.requests[0].headerFields[.accept] == "application/json, application/xml;q=0.8")
    }

    @Test(
        .covers("OD-1.7.16"),
        arguments: [
            (nil, ODataVersion.v40), ("4.0", .v40), ("4.0 4.01", .v401), ("4.01", .v401), ("4.02", .v401),
            ("5.0", .v401),
            ("4", .v40), ("3.0", .v40), ("new", .v40),
        ] as [(String?, ODataVersion)]
    )
    func `the version of payloads is what the service says, and 4 point 0 where it says nothing`(
        versions: String?,
        expected: ODataVersion
    ) async throws {
        let annotation = versions.map { #","@Org.OData.Core.V1.ODataVersions":"\#($0)""# } ?? ""
        let text = Self.smallest.replacing(#""EntityContainer","#, with: "\"EntityContainer\"\(annotation),")
        let transport = ScriptedTransport { _, _ in .json(text) }
        #expect(try await client(transport).metadata().payloadVersion == expected)
    }
}
