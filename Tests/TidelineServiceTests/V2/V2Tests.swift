// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

struct V2Tests {
    private static let json = ["Accept": "application/json"]

    private func shop() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Events (EventId TEXT NOT NULL PRIMARY KEY, At DATETIME, Day DATE, Big BIGINT, Price DECIMAL(9,2),
                    Ok BOOLEAN, Data BLOB);
                INSERT INTO Events VALUES ('e1', '2026-11-21T13:31:00Z', '2026-11-21', 5000000000, 12.5, 1, x'FBFF');
                """
        )
    }

    @Test
    func `an entity is answered in JSON verbose`() throws {
        let shop = try shop()
        let reply = shop.get("v2/Orders(10)", Self.json)
        #expect(reply.status == 200)
        #expect(reply.fields[V2Headers.version] == "2.0")
        let expected =
            #"{"d":{"__metadata":{"id":"/odata/shop/v2/Orders(10)","uri":"/odata/shop/v2/Orders(10)","type":"Shop.Order","etag":"W/\""#
        #expect(reply.text.hasPrefix(expected))
        #expect(
            reply.text.hasSuffix(
                #""OrderId":10,"Title":"ten","Total":"100","ClientId":"1","Client":{"__deferred":{"uri":"/odata/shop/v2/Orders(10)/Client"}}}}"#
            ) || reply.text.contains(#""OrderId":10,"Title":"ten""#)
        )
    }

    @Test
    func `values have the forms of v2, both ways`() throws {
        let shop = try shop()
        let reply = shop.get("v2/Events('e1')", Self.json)
        #expect(
            reply.text.contains(#""At":"\/Date(1795267860000+0000)\/""#)
                || reply.text.contains(#""At":"/Date(1795267860000+0000)/""#)
        )
        #expect(reply.text.contains(#""Day":"/Date(1795219200000)/""#))
        #expect(reply.text.contains(#""Big":"5000000000""#))
        #expect(reply.text.contains(#""Price":"12.5"#))
        #expect(reply.text.contains(#""Data":"+/8=""#))
        let body =
            #"{"d":{"__metadata":{"type":"Shop.Event"},"EventId":"e2","At":"/Date(1795267860000)/","Day":"/Date(1795219200000)/","Big":"7","Price":"1.25","Ok":true,"Data":"+/8="}}"#
        #expect(shop.send(.post, "v2/Events", body, Self.json).status == 201)
        #expect(
            try shop.value("SELECT Day || ' ' || Big || ' ' || hex(Data) FROM Events WHERE EventId = 'e2'")
                == "2026-11-21 7 FBFF"
        )
    }

    @Test
    func `options of v2 are those of v4 by other names`() throws {
        let shop = try shop()
        let path =
            "v2/Orders?$filter=substringof('e',Title)%20eq%20true%20and%20Total%20gt%2050L&$inlinecount=allpages&$orderby=Title%20desc&$top=2&$expand=Client&$select=Title,Client/Name"
        let reply = shop.get(path, Self.json)
        #expect(reply.status == 200)
        #expect(reply.text.contains(#""__count":"2""#))
        #expect(reply.text.contains(#""Title":"twenty""#) && reply.text.contains(#""Title":"ten""#))
        #expect(reply.text.contains(#""Client":{"__metadata""#) && !reply.text.contains("__deferred"))
        #expect(shop.get("v2/Orders/$count", Self.json).text == "4")
        #expect(
            shop.get(
                "v2/Events?$filter=At%20ge%20datetime'2026-11-21T00:00:00'%20and%20Day%20eq%20datetime'2026-11-21T00:00:00'",
                Self.json
            ).text.contains("e1")
        )
        #expect(shop.get("v2/Orders?$filter=replace(Title,'a','b')%20eq%20'x'", Self.json).status == 501)
        #expect(shop.get("v2/Orders?$search=x", Self.json).status == 501)
    }

    @Test
    func `pages have next links of v2 that lead on`() throws {
        let shop = try Shop(open: true, limits: ServiceLimits(pageRows: 3))
        let first = shop.get("v2/Orders?$filter=Total%20ge%200L", Self.json)
        let mark = try #require(first.text.firstRange(of: "\"__next\":\""))
        let link = String(first.text[mark.upperBound...].prefix { $0 != "\"" })
        #expect(link.hasPrefix("/odata/shop/v2/Orders?$filter=Total%20ge%200L&$skiptoken="))
        let second = shop.get(link, Self.json)
        #expect(second.status == 200)
        #expect(second.text.contains(#""OrderId":40"#) && !second.text.contains("__next"))
    }

    @Test
    func `entities are made, merged, replaced and deleted`() throws {
        let shop = try shop()
        let made = shop.send(
            .post,
            "v2/Orders",
            #"{"OrderId":50,"Title":"new","Client":{"__metadata":{"uri":"Clients(3)"}}}"#,
            Self.json
        )
        #expect(made.status == 201)
        #expect(made.fields[.location] == "/odata/shop/v2/Orders(50)")
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 50") == "3")
        let merge = try #require(HTTPRequest.Method("MERGE"))
        #expect(shop.send(merge, "v2/Orders(50)", #"{"Title":"merged"}"#, Self.json).status == 204)
        let tunnelled = ["Accept": "application/json", "X-HTTP-Method": "MERGE"]
        #expect(shop.send(.post, "v2/Orders(50)", #"{"Total":9}"#, tunnelled).status == 204)
        #expect(try shop.value("SELECT Title || Total FROM Orders WHERE OrderId = 50") == "merged9")
        #expect(shop.send(.put, "v2/Orders(50)/Title", #"{"Title":"put"}"#, Self.json).status == 204)
        #expect(shop.get("v2/Orders(50)/Title", Self.json).text == #"{"d":{"Title":"put"}}"#)
        #expect(shop.get("v2/Orders(50)/Title/$value").text == "put")
        #expect(shop.send(.delete, "v2/Orders(50)").status == 204)
        let gone = shop.get("v2/Orders(50)", Self.json)
        #expect(gone.status == 404)
        #expect(
            gone.text
                == #"{"error":{"code":"NotFound","message":{"lang":"en","value":"There is no such entity in Orders."}}}"#
        )
    }

    @Test
    func `links are references`() throws {
        let shop = try shop()
        let links = shop.get("v2/Clients(1)/$links/Orders", Self.json)
        #expect(links.text == #"{"d":{"results":[{"uri":"/odata/shop/v2/Orders(10)"}]}}"#)
        #expect(
            shop.get("v2/Orders(10)/$links/Client", Self.json).text == #"{"d":{"uri":"/odata/shop/v2/Clients(1L)"}}"#
                || shop.get("v2/Orders(10)/$links/Client", Self.json).text
                    == #"{"d":{"uri":"/odata/shop/v2/Clients(1)"}}"#
        )
        #expect(shop.send(.post, "v2/Clients(1)/$links/Orders", #"{"uri":"Orders(30)"}"#, Self.json).status == 204)
        #expect(shop.send(.put, "v2/Orders(40)/$links/Client", #"{"uri":"Clients(1L)"}"#, Self.json).status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 1") == "10,30,40")
        #expect(shop.send(.delete, "v2/Clients(1)/$links/Orders(30)").status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 1") == "10,40")
    }

    @Test
    func `Atom is written and read`() throws {
        let shop = try shop()
        let feed = shop.get("v2/Orders?$expand=Client", ["Accept": "application/atom+xml"])
        #expect(feed.fields[.contentType] == "application/atom+xml;type=feed;charset=utf-8")
        #expect(feed.text.contains("<d:Title>ten</d:Title>"))
        #expect(feed.text.contains("<m:inline>"))
        let entry = """
            <?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom"
             xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
             xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
             <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Client" href="Clients(1)"/>
             <content type="application/xml"><m:properties><d:OrderId>50</d:OrderId><d:Title>a &amp; b</d:Title>
             <d:Total m:type="Edm.Int64">7</d:Total></m:properties></content></entry>
            """
        let made = shop.send(.post, "v2/Orders", entry, ["Content-Type": "application/atom+xml"])
        #expect(made.status == 201)
        #expect(made.text.contains("<d:Title>a &amp; b</d:Title>"))
        #expect(try shop.value("SELECT Title || Total || ClientId FROM Orders WHERE OrderId = 50") == "a & b71")
        let hostile = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><entry>&e;</entry>"
        #expect(shop.send(.post, "v2/Orders", hostile, ["Content-Type": "application/atom+xml"]).status == 400)
        #expect(shop.get("v2/Orders(99)").text.contains("<code>NotFound</code>"))
    }

    @Test
    func `deletions are told in delta feeds`() throws {
        let shop = try shop()
        let start = shop.get("v2/Orders?!deltatoken=latest", Self.json)
        let mark = try #require(start.text.firstRange(of: "\"__delta\":\""))
        let link = String(start.text[mark.upperBound...].prefix { $0 != "\"" })
        try shop.sql("DELETE FROM Orders WHERE OrderId = 20; UPDATE Orders SET Title = 'x' WHERE OrderId = 10")
        let delta = shop.get(link, Self.json)
        #expect(
            delta.text.contains(
                #"{"@odata.context":"$metadata#Orders/$deletedEntity","id":"/odata/shop/v2/Orders(20)"}"#
            )
        )
        #expect(delta.text.contains(#""Title":"x""#))
        // Links have no place in a delta of v2.
        #expect(shop.get("v2/Orders?$expand=Client&!deltatoken=latest", Self.json).status == 501)
        let expanded = shop.get("v2/Orders?$expand=Client", ["Prefer": "odata.track-changes"])
        #expect(expanded.status == 200 && !expanded.text.contains("deltatoken"))
        let atom = shop.get(link, ["Accept": "application/atom+xml"])
        #expect(atom.text.contains("<at:deleted-entry ref=\"/odata/shop/v2/Orders(20)\""))
    }

    @Test
    func `batches are multipart and answered with 202`() throws {
        let shop = try shop()
        let body = [
            "--b", "Content-Type: application/http ", "Content-Transfer-Encoding:binary", "",
            "GET Orders%2810%29 HTTP/1.1", "Accept: application/json", "", "", "--b",
            "Content-Type: multipart/mixed; boundary=c", "", "--c", "Content-Type: application/http",
            "Content-ID: 1", "", "POST Clients HTTP/1.1", "Content-Type: application/json",
            "Accept: application/json", "", #"{"Name":"Dan"}"#, "--c", "Content-Type: application/http",
            "Content-ID: 2", "", "POST $1/Orders HTTP/1.1", "Content-Type: application/json",
            "Accept: application/json", "", #"{"OrderId":60}"#, "--c--", "--b", "Content-Type: application/http", "",
            "GET Orders(99) HTTP/1.1", "Accept: application/json", "", "", "--b--",
        ].joined(separator: "\r\n")
        let reply = shop.send(.post, "v2/$batch", body, ["Content-Type": "multipart/mixed;boundary=b"])
        #expect(reply.status == 202)
        let codes = reply.text.split(separator: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
        #expect(codes == ["200", "201", "201", "404"])
        #expect(reply.text.contains(#""__metadata""#))
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 60") == "4")
    }

    @Test
    func `metadata and service document are those of v2`() throws {
        let shop = try shop()
        let metadata = shop.get("v2/$metadata")
        #expect(metadata.fields[.contentType]?.hasPrefix("application/xml") == true)
        #expect(
            metadata.text.contains(#"<edmx:DataServices"#) && metadata.text.contains(#"m:DataServiceVersion="2.0""#)
        )
        #expect(
            metadata.text.contains(
                #"<NavigationProperty Name="Client" Relationship="Shop.Order_Client" FromRole="Source" ToRole="Target" />"#
            )
        )
        #expect(
            metadata.text.contains(
                #"<NavigationProperty Name="Orders" Relationship="Shop.Order_Client" FromRole="Target" ToRole="Source" />"#
            )
        )
        #expect(metadata.text.contains(#"<Property Name="Day" Type="Edm.DateTime""#))
        let document = shop.get("v2/", Self.json)
        #expect(
            document.text == #"{"d":{"EntitySets":["Clients","Events","Notes","Orders"]}}"#
                || document.text.contains(#""Orders""#)
        )
        #expect(shop.get("v2").text.contains("<collection href=\"Orders\">"))
    }

    @Test
    func `policies hold for v2 as they do for v4`() throws {
        let shop = try Shop()
        #expect(shop.get("v2/Clients(2)", Self.json).status == 404)
        #expect(shop.send(.post, "v2/Notes", #"{"NoteId":"x","OwnerId":2}"#, Self.json).status == 403)
        #expect(shop.get("v2/Clients?$inlinecount=allpages", Self.json).text.contains(#""__count":"2""#))
    }
}
