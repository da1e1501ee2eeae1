// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

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

    /// What an answer about orders and the pages that it leads to hold.
    private struct Walk: Equatable {
        var keys: [Int] = []
        /// The rows of each page.
        var sizes: [Int] = []
        /// What each page says of the number of all.
        var counts: [String?] = []
    }

    private func walk(_ shop: Shop, _ query: String) throws -> Walk {
        var walk = Walk()
        var next: String? = "Orders?$select=OrderId&$orderby=Title%20desc&" + query
        while let link = next, walk.sizes.count < 100 {
            let reply = shop.get(link, ["Accept": "application/json;metadata=none"])
            try #require(reply.status == 200)
            let keys = reply.text.split(separator: #""OrderId":"#).dropFirst().map { $0.prefix(while: \.isNumber) }
            walk.keys += try keys.map { try #require(Int($0)) }
            walk.sizes.append(keys.count)
            let count = reply.text.firstRange(of: #"{"@count":"#).map { reply.text[$0.upperBound...] }
            walk.counts.append(count.map { String($0.prefix(while: \.isNumber)) })
            next = reply.link("nextLink")
        }
        return walk
    }

    @Test(.covers("DA-38"))
    func `10,000 rows in an order with many that are equal in it are read page by page, none lost and none twice`()
        throws
    {
        let shop = try Shop(open: true, limits: ServiceLimits(pageRows: 1_000))
        try shop.sql(
            """
            DELETE FROM Orders;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO Orders (OrderId, Title)
            SELECT i, CASE WHEN i % 5 > 0 THEN 't' || (i % 7) END FROM n
            """
        )
        // Nulls come last where the order descends; what is equal in it follows the key.
        let titled = (0..<7).reversed().flatMap { title in (1...10_000).filter { $0 % 5 > 0 && $0 % 7 == title } }
        let order = titled + stride(from: 5, through: 10_000, by: 5)
        #expect(shop.get("Orders/$count").text == "10000")
        let whole = try walk(shop, "$count=true")
        #expect(whole.keys == order)
        #expect(whole.sizes == Array(repeating: 1_000, count: 10))
        #expect(whole.counts == Array(repeating: "10000", count: 10))
        var windows: [Int] = []
        for start in stride(from: 0, to: 10_000, by: 1_000) {
            let window = try walk(shop, "$skip=\(start)&$top=1000")
            #expect(window.sizes == [1_000] && window.counts == [nil])
            windows += window.keys
        }
        #expect(windows == order)
        let long = try walk(shop, "$skip=5000&$top=2500&$count=true")
        #expect(long.keys == Array(order[5_000..<7_500]))
        #expect(long.sizes == [1_000, 1_000, 500] && long.counts == ["10000", "10000", "10000"])
        let last = try walk(shop, "$skip=9900&$top=1000")
        #expect(last.keys == Array(order[9_900...]) && last.sizes == [100])
        #expect(try walk(shop, "$skip=10000&$count=true") == Walk(sizes: [0], counts: ["10000"]))
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

    @Test(
        .covers("DA-36"),
        arguments: [
            "Clients?$filter=Secret eq 'x1'", "Clients?$filter=startswith(Secret,'x')",
            "Clients?$filter=Name eq 'Ann' or Secret ne null", "Clients/$count?$filter=Secret eq null",
            "Orders?$filter=Client/Secret eq 'x1'", "Clients?$filter=Orders/any(o:o/Client/Secret eq 'x1')",
        ]
    )
    func `a filter on a column that is not published is refused like one on a column that is nowhere`(
        path: String
    ) throws {
        let shop = try Shop(
            open: true,
            adding: "ALTER TABLE Clients ADD COLUMN Secret TEXT; UPDATE Clients SET Secret = 'x' || ClientId;",
            shaping: { sets in
                for place in sets.indices { sets[place].type.properties.removeAll { $0.names.wire == "Secret" } }
            }
        )
        #expect(try shop.value("SELECT Secret FROM Clients WHERE ClientId = 1") == "x1")
        let query = path.replacing(" ", with: "%20")
        let reply = shop.get(query)
        #expect(reply.status == 400)
        #expect(Shop.code(reply) == "InvalidFilter")
        let nowhere = shop.get(query.replacing("Secret", with: "Absent"))
        #expect(reply.text == nowhere.text.replacing("Absent", with: "Secret"))
    }

    @Test(
        .covers("DA-36"),
        arguments: [
            "'; DROP TABLE Notes; --", "x' OR '1'='1", "') OR 1=1 --", "' UNION SELECT Name FROM Clients --",
            #"" OR ""=""#, "first' --", "%", "_", "?1", ":text", "\\",
        ]
    )
    func `SQL in the text of a filter is text`(text: String) throws {
        let shop = try Shop(open: true)
        let literal = "'" + text.replacing("'", with: "''") + "'"
        try shop.sql("INSERT INTO Notes VALUES ('d', 1, \(literal), NULL)")
        let encoded = literal.utf8.map { "%" + String($0, radix: 16) }.joined()
        for filter in [
            "Text%20eq%20\(encoded)", "contains(Text,\(encoded))", "startswith(Text,\(encoded))",
            "Text%20in%20(\(encoded))",
        ] {
            let found = shop.get("Notes?$select=NoteId&$filter=\(filter)").text.split(separator: #""NoteId":"#)
            #expect(found.dropFirst().map { $0.prefix(3) } == [#""d""#], "\(filter)")
        }
        #expect(shop.get("Notes/$count?$filter=Text%20ne%20\(encoded)").text == "3")
        let counts = "SELECT (SELECT count(*) FROM Notes) || ' ' || (SELECT count(*) FROM Clients)"
        #expect(try shop.value(counts) == "4 3")
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
