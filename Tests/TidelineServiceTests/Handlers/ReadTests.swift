// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

struct ReadTests {
    @Test
    func `the service document names the sets that the user may read`() throws {
        let shop = try Shop()
        #expect(
            shop.get("").text
                == #"{"@context":"/odata/shop/$metadata","value":[{"name":"Clients","kind":"EntitySet","url":"Clients"},"#
                + #"{"name":"Notes","kind":"EntitySet","url":"Notes"},{"name":"Orders","kind":"EntitySet","url":"Orders"}]}"#
        )
        #expect(!shop.get("", as: UserContext(id: .integer(3))).text.contains("Orders"))
    }

    @Test
    func `a collection has the rows that the policy shows`() throws {
        let shop = try Shop()
        let reply = shop.get("Clients?$select=Name")
        #expect(reply.status == 200)
        #expect(
            reply.text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Clients(ClientId,Name)","value":["#
                + #"{"@etag":"W/\"\"","ClientId":1,"Name":"Ann"},{"@etag":"W/\"\"","ClientId":3,"Name":"Cid"}]}"#
        )
        #expect(reply.fields[.contentType] == "application/json;metadata=minimal")
        #expect(reply.fields[.odataVersion] == "4.01")
    }

    @Test(arguments: [
        "$filter=Name%20eq%20'x'", "$orderby=Name", "$top=1", "$skip=0", "$count=true", "$deltatoken=x", "$skiptoken=x",
    ])
    func `what chooses among many is refused for one`(option: String) throws {
        let shop = try Shop()
        let name = option.prefix { $0 != "=" }
        for path in ["Clients(1)", "Orders(10)/Client"] {
            let reply = shop.get("\(path)?\(option)")
            #expect(reply.status == 400)
            #expect(reply.text.contains("\(name) is for collections; this is one entity."), "\(reply.text)")
        }
        #expect(shop.get("Clients(1)?$count=false&$select=Name").status == 200)
    }

    @Test
    func `an answer in version 4 point 0 has its prefixes`() throws {
        let shop = try Shop()
        let reply = shop.get("Clients(1)?$select=Name", ["OData-MaxVersion": "4.0"])
        #expect(
            reply.text.withoutETags
                == #"{"@odata.context":"/odata/shop/$metadata#Clients(ClientId,Name)/$entity","@odata.etag":"W/\"\"","ClientId":1,"Name":"Ann"}"#
        )
        #expect(reply.fields[.odataVersion] == "4.0")
    }

    @Test
    func `filter, order, top, skip, count and expand work together`() throws {
        let shop = try Shop()
        let reply = shop.get(
            "Orders?$filter=Total%20ge%20100%20and%20Client/Name%20ne%20'Zoe'&$orderby=Total%20desc&$skip=0&$top=1&$count=true"
                + "&$select=Title&$expand=Client($select=Name)"
        )
        #expect(
            reply.text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Orders(OrderId,Title,Client(ClientId,Name))","@count":2,"value":["#
                + #"{"@etag":"W/\"\"","OrderId":30,"Title":"thirty","Client":{"@etag":"W/\"\"","ClientId":3,"Name":"Cid"}}]}"#
        )
    }

    @Test
    func `properties, raw values and counts have their own forms`() throws {
        let shop = try Shop()
        #expect(
            shop.get("Clients(1)/Name").text == #"{"@context":"/odata/shop/$metadata#Clients(1)/Name","value":"Ann"}"#
        )
        #expect(shop.get("Clients(1)/Name/$value").text == "Ann")
        #expect(shop.get("Clients(3)/Code").status == 204)
        #expect(shop.get("Clients/$count").text == "2")
        #expect(shop.get("Clients/$count?$filter=Name%20eq%20'Ann'").text == "1")
        #expect(shop.get("Clients(1)/Orders/$count").text == "1")
        #expect(shop.get("Orders(10)/Client/Name/$value").text == "Ann")
    }

    @Test
    func `a version that is known is not sent again`() throws {
        let shop = try Shop()
        let etag = shop.etag("Clients(1)")
        #expect(etag.utf8.count == 26)
        let reply = shop.get("Clients(1)", ["If-None-Match": etag])
        #expect(reply.status == 304 && reply.text.isEmpty && reply.fields[.eTag] == etag)
    }

    @Test
    func `pages follow the key and lead to each other`() throws {
        let shop = try Shop()
        try shop.sql(
            "INSERT INTO Notes SELECT 'n' || value, 1, 'x', NULL FROM (WITH RECURSIVE c(value) AS (SELECT 100 UNION ALL SELECT value + 1 FROM c WHERE value < 119) SELECT value FROM c)"
        )
        var reply = shop.get("Notes?$select=NoteId&$filter=Text%20eq%20'x'", ["Prefer": "maxpagesize=7"])
        #expect(reply.fields[.preferenceApplied] == "maxpagesize=7")
        var ids: [String] = []
        var pages = 0
        while true {
            pages += 1
            ids += reply.text.split(separator: "\"NoteId\":\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
            guard let next = reply.link("nextLink") else { break }
            reply = shop.get(next, ["Prefer": "maxpagesize=7"])
            #expect(reply.status == 200)
        }
        #expect(ids == (100...119).map { "n\($0)" })
        #expect(pages == 3)
    }

    @Test(arguments: [
        ("Nothing", 404, "NotFound"), ("Clients(1)/Nothing", 404, "NotFound"), ("Clients('x')", 400, "InvalidKey"),
        ("Clients?$filter=Nothing%20eq%201", 400, "InvalidFilter"), ("Clients?$filter=Name", 400, "InvalidFilter"),
        ("Clients?$filter=Name%20eq", 400, "InvalidFilter"), ("Clients?$orderby=Nothing", 400, "InvalidOrderBy"),
        ("Clients?$select=Nothing", 400, "InvalidSelect"), ("Clients?$expand=Nothing", 400, "InvalidExpand"),
        ("Clients?$top=-1", 400, "InvalidQueryOption"), ("Clients?$nonsense=1", 400, "UnknownQueryOption"),
        ("Clients?$skiptoken=abc", 400, "InvalidToken"), ("Clients?$deltatoken=abc", 400, "InvalidToken"),
        ("Clients(1)?$filter=%zz", 400, "InvalidURL"), ("Clients/$value", 404, "NotFound"),
        ("Clients(99)", 404, "NotFound"), ("$batch", 405, "MethodNotAllowed"),
        ("Clients(1)/Name/$count", 404, "NotFound"),
    ])
    func `what is wrong is told with a code and changes nothing`(path: String, status: Int, code: String) throws {
        let shop = try Shop()
        let reply = shop.get(path)
        #expect(reply.status == status)
        #expect(Shop.code(reply) == code)
    }

    @Test
    func `methods that a path does not take are refused with those it takes`() throws {
        let shop = try Shop()
        let reply = shop.send(.delete, "Clients")
        #expect(reply.status == 405)
        #expect(reply.fields[.allow] == "GET, HEAD, POST, PATCH, OPTIONS")
        #expect(shop.send(.options, "Clients(1)").fields[.allow] == "GET, HEAD, PATCH, PUT, DELETE, OPTIONS")
        let head = shop.send(.head, "Clients(1)")
        #expect(head.status == 200 && head.text.isEmpty && head.fields[.eTag] != nil)
    }

    @Test
    func `nobody reads a domain that is not open`() throws {
        let shop = try Shop()
        let reply = shop.get("Clients", as: .anonymous)
        #expect(reply.status == 401)
        #expect(reply.fields[.wwwAuthenticate] == "Bearer")
        #expect(try Shop(open: true).get("Clients/$count", as: .anonymous).text == "3")
    }
}
