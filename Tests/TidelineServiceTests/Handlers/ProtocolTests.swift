// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Headers, versions, formats and methods.
struct ProtocolTests {
    @Test(
        .covers("OD-1.1.4", "OD-1.1.5.2", "OD-1.4.17", "OD-1.8.23", "OD-1.8.26"),
        arguments: [
            (nil, "4.0", 200), ("4.0", "4.0", 200), ("4.01", "4.01", 200), ("4.5", "4.01", 200), ("5.0", "4.01", 200),
            ("3.0", "4.0", 400), ("x", "4.0", 400),
        ] as [(String?, String, Int)]
    )
    func `every answer has the version that the client asked for`(max: String?, version: String, status: Int) throws {
        let shop = try Shop()
        let reply = shop.send(.get, "Clients(1)", "", ["OData-MaxVersion": max ?? ""])
        #expect(reply.status == status)
        #expect(reply.fields[.odataVersion] == version)
        #expect(reply.text.contains("\"@odata.context\"") == (version == "4.0" && status == 200))
    }

    @Test func `a version of the request that is not spoken is refused`() throws {
        #expect(try Shop().get("Clients(1)", ["OData-Version": "5.0"]).status == 400)
        #expect(try Shop().get("Clients(1)", ["OData-Version": "4.0"]).status == 200)
    }

    @Test(
        .covers("OD-1.1.2", "OD-1.1.5.1", "OD-1.8.12", "OD-1.8.19", "OD-1.8.20"),
        arguments: [
            ("", "application/json", 200, "application/json;metadata=minimal"),
            ("", "*/*", 200, "application/json;metadata=minimal"),
            ("", "application/json;metadata=full", 200, "application/json;metadata=full"),
            ("", "application/json;odata.metadata=none", 200, "application/json;metadata=none"),
            (
                "", "application/json;metadata=minimal;streaming=true", 200,
                "application/json;metadata=minimal;streaming=true"
            ),
            (
                "", "application/json;IEEE754Compatible=true;ExponentialDecimals=true", 200,
                "application/json;metadata=minimal;IEEE754Compatible=true;ExponentialDecimals=true"
            ),
            ("", "application/json;charset=utf-8", 200, "application/json;metadata=minimal;charset=utf-8"),
            ("", "application/xml;q=0.9, application/json;q=0.5", 200, "application/json;metadata=minimal"),
            ("", "application/json;charset=utf-16", 406, "application/json"),
            ("", "application/json;metadata=huge", 406, "application/json"),
            ("", "application/json;unheard=of", 406, "application/json"),
            ("", "application/xml", 406, "application/json"), ("", "application/json;q=0", 406, "application/json"),
            ("json", "application/xml", 200, "application/json;metadata=minimal"),
            ("application/json;metadata=none", "*/*", 200, "application/json;metadata=none"),
            ("xml", "*/*", 406, "application/json"), ("atom", "*/*", 406, "application/json"),
            ("nonsense", "*/*", 400, "application/json"),
        ]
    )
    func `Accept and format are obeyed or refused`(format: String, accept: String, status: Int, type: String) throws {
        let shop = try Shop()
        let query = format.isEmpty ? "" : "?$format=\(format)"
        let reply = shop.get("Clients(1)\(query)", ["Accept": accept])
        #expect(reply.status == status)
        #expect(reply.fields[.contentType] == type)
        if status == 200 { #expect(reply.fields[.vary] == "Accept, Prefer, OData-MaxVersion") }
    }

    @Test(.covers("OD-1.1.13", "OD-1.3.2", "OD-1.4.10", "OD-1.6.6"))
    func `the model comes in XML and in JSON, and not twice to who has it`() throws {
        let shop = try Shop()
        #expect(shop.get("$metadata").fields[.contentType] == "application/xml")
        #expect(shop.get("$metadata?$format=json").fields[.contentType] == "application/json")
        #expect(shop.get("$metadata", ["Accept": "application/json"]).fields[.contentType] == "application/json")
        #expect(shop.get("$metadata", ["Accept": "image/png"]).status == 406)
        let etag = try #require(shop.get("$metadata").fields[.eTag])
        #expect(shop.get("$metadata", ["If-None-Match": etag]).status == 304)
        #expect(shop.get("$metadata", ["If-None-Match": etag, "Accept": "application/json"]).status == 200)
    }

    @Test(.covers("OD-1.1.14", "OD-1.4.4"), arguments: ["", "odata."])
    func `preferences are read with and without their prefix`(prefix: String) throws {
        let shop = try Shop()
        let reply = shop.get("Clients", ["Prefer": "\(prefix)maxpagesize=1,\(prefix)track-changes"])
        #expect(reply.fields[.preferenceApplied] == "\(prefix)track-changes, \(prefix)maxpagesize=1")
        #expect(reply.link("nextLink") != nil)
        #expect(shop.get("Clients", ["\(prefix == "" ? "" : "OData-")Isolation": "snapshot"]).status == 200)
        #expect(shop.get("Clients", ["\(prefix == "" ? "" : "OData-")Isolation": "other"]).status == 412)
        #expect(shop.get("Clients", ["Prefer": "unheard-of=1"]).status == 200)
    }

    @Test(.covers("OD-1.8.22"))
    func `nulls are left out only when that was asked for, and then the answer says so`() throws {
        let shop = try Shop()
        #expect(shop.get("Clients(3)?$select=Code").text.contains("\"Code\":null"))
        let reply = shop.get(
            "Clients(3)?$select=Name,Code&$expand=Orders($select=Title)",
            ["Prefer": "omit-values=nulls"]
        )
        #expect(reply.fields[.preferenceApplied] == "omit-values=nulls")
        #expect(
            reply.text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Clients(ClientId,Name,Code,Orders(OrderId,Title))/$entity","#
                + #""@etag":"W/\"\"","ClientId":3,"Name":"Cid","#
                + #""Orders":[{"@etag":"W/\"\"","OrderId":30,"Title":"thirty"}]}"#
        )
    }

    @Test(.covers("OD-1.8.14", "OD-1.1.18"))
    func `full metadata has types, identities and links`() throws {
        let shop = try Shop()
        let reply = shop.get("Clients(1)", ["Accept": "application/json;metadata=full"])
        #expect(
            reply.text.withoutETags
                == ##"{"@context":"/odata/shop/$metadata#Clients/$entity","@type":"#Shop.Client","@id":"Clients(1)","##
                + #""@etag":"W/\"\"","@editLink":"Clients(1)","ClientId@type":"Int32","ClientId":1,"Name":"Ann","#
                + #""OwnerId@type":"Int64","OwnerId":1,"Code":"A","#
                + #""Orders@associationLink":"Clients(1)/Orders/$ref","Orders@navigationLink":"Clients(1)/Orders"}"#
        )
        let old = shop.get("Clients(1)", ["Accept": "application/json;odata.metadata=full", "OData-MaxVersion": "4.0"])
        #expect(old.text.contains(##""@odata.type":"#Shop.Client","@odata.id":"Clients(1)""##))
        #expect(old.text.contains(##""ClientId@odata.type":"#Int32""##))
        #expect(old.fields[.contentType] == "application/json;odata.metadata=full")
    }

    @Test func `a later page has the count of the first`() throws {
        let shop = try Shop(open: true)
        let first = shop.get("Orders?$count=true", ["Prefer": "maxpagesize=3"])
        #expect(first.text.contains("\"@count\":4"))
        try shop.sql("INSERT INTO Orders VALUES (5, 'five', 5, NULL)")
        let second = shop.get(try #require(first.link("nextLink")))
        #expect(second.text.contains("\"@count\":4"))
    }

    @Test(.covers("OD-1.3.9.1", "OD-1.8.13"))
    func `references are read alone`() throws {
        let shop = try Shop()
        #expect(
            shop.get("Clients(1)/Orders/$ref").text
                == #"{"@context":"/odata/shop/$metadata#Collection($ref)","value":[{"@id":"Orders(10)"}]}"#
        )
        #expect(
            shop.get("Orders(10)/Client/$ref").text
                == ##"{"@context":"/odata/shop/$metadata#$ref","@id":"Clients(1)"}"##
        )
        #expect(
            shop.get("Clients/$ref?$orderby=Name%20desc").text
                == #"{"@context":"/odata/shop/$metadata#Collection($ref)","value":[{"@id":"Clients(3)"},{"@id":"Clients(1)"}]}"#
        )
        #expect(shop.get("Clients(2)/$ref").status == 404)
        #expect(
            shop.get("Clients(1)?$select=Name&$expand=Orders/$ref").text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Clients(ClientId,Name,Orders/$ref)/$entity","#
                + #""@etag":"W/\"\"","ClientId":1,"Name":"Ann","Orders":[{"@id":"Orders(10)"}]}"#
        )
    }

    @Test(.covers("OD-1.1.3"))
    func `a nested collection is cut into pages too`() throws {
        let shop = try Shop()
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 1, 1), (12, 'twelve', 2, 1), (13, 'thirteen', 3, 1)")
        let reply = shop.get(
            "Clients(1)?$select=Name&$expand=Orders($select=Title;$orderby=Title)",
            ["Prefer": "maxpagesize=3"]
        )
        #expect(reply.text.contains("\"eleven\"") && reply.text.contains("\"thirteen\""))
        #expect(!reply.text.contains("\"twelve\""))
        let link = try #require(reply.text.firstRange(of: "\"Orders@nextLink\":\"")).upperBound
        let next = String(reply.text[link...].prefix { $0 != "\"" })
        // The place where it goes on is signed.
        let token = "$skiptoken="
        #expect(next.hasPrefix("/odata/shop/Clients(1)/Orders?$orderby=Title&$select=Title&\(token)"))
        #expect(next.ranges(of: token).count == 1 && !next.hasSuffix(token) && !next.contains("$skip="))
        let rest = shop.get(next).text
        #expect(rest.contains("\"twelve\"") && !rest.contains("\"thirteen\"") && !rest.contains("nextLink"))
    }

    @Test(.covers("OD-1.1.12", "OD-1.3.4"))
    func `counts of related entities stand in the row`() throws {
        let shop = try Shop()
        #expect(
            shop.get("Clients(1)?$select=Name&$expand=Orders/$count").text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Clients(ClientId,Name)/$entity","#
                + #""@etag":"W/\"\"","ClientId":1,"Name":"Ann","Orders@count":1}"#
        )
    }

    @Test func `a version that is known is sent nowhere again`() throws {
        let shop = try Shop()
        let etag = shop.etag("Clients(1)")
        for path in ["Clients(1)/Name", "Clients(1)/Name/$value", "Orders(10)/Client"] {
            let reply = shop.get(path, ["If-None-Match": etag])
            #expect(reply.status == 304 && reply.text.isEmpty, "\(path)")
            #expect(shop.get(path, ["If-Match": "W/\"AAAAAAAAAAAAAAAAAAAAAA\""]).status == 412, "\(path)")
        }
    }

    @Test func `an alternate key leads to its entity`() throws {
        let shop = try Shop()
        #expect(shop.get("Clients(Code='A')/Name/$value").text == "Ann")
        #expect(shop.get("Clients(Code='B')").status == 404)
        #expect(shop.get("Clients(Name='Ann')").status == 400)
    }

    @Test(.covers("OD-1.4.9.l"))
    func `a key may be a segment`() throws {
        let shop = try Shop()
        #expect(shop.get("Notes/a/Text/$value").text == "first")
        #expect(shop.get("Notes/b").status == 404)
    }
}
