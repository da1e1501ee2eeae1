// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// The options of a query, each as the conformance sections name it.
struct QueryTests {
    /// The clients that an open shop tells, by their keys in the order of the answer.
    private func keys(_ query: String, _ set: String = "Clients", _ key: String = "ClientId") throws -> [String] {
        let reply = try Shop(open: true).get("\(set)?\(query)".replacing(" ", with: "%20"))
        guard reply.status == 200 else { return ["\(reply.status)"] }
        return reply.text.split(separator: "\"\(key)\":").dropFirst().map {
            String($0.prefix { $0 != "," && $0 != "}" })
        }
    }

    @Test(
        .covers(
            "DA-35",
            "OD-1.2.7.1",
            "OD-1.2.7.2",
            "OD-1.2.7.3",
            "OD-1.2.7.4",
            "OD-1.2.15",
            "OD-1.3.5",
            "OD-1.4.6",
            "OD-1.4.7",
            "OD-1.4.9.a",
            "OD-1.4.9.g",
            "OD-1.4.9.h",
            "OD-1.4.9.i",
            "OD-1.4.9.j",
            "OD-1.4.9.m",
            "OD-1.5.3",
            "OD-1.5.4",
            "OD-1.5.6",
            "OD-1.6.3"
        ),
        arguments: [
            ("$filter=Name eq 'Ann'", ["1"]), ("$filter=Name ne 'Ann'", ["2", "3"]),
            ("$filter=Code ne 'A'", ["2", "3"]),
            ("$filter=Name eq @n&@n='Ben'", ["2"]), ("filter=ClientId gt 2", ["3"]), ("$FILTER=ClientId GT 2", ["3"]),
            ("$filter=startswith(Name,'A') or Name eq 'Cid'", ["1", "3"]), ("$filter=STARTSWITH(Name,'A')", ["1"]),
            ("$filter=ClientId eq '2'", ["2"]), ("$filter=Name in ('Ann','Cid')", ["1", "3"]),
            ("$filter=ClientId divby 2 eq 1.5", ["3"]), ("$filter=Orders/any(o:o/Total gt 150)", ["2", "3"]),
            ("$filter=Orders/all(o:o/Total gt 150)", ["2", "3"]), ("$filter=Orders/$count eq 1", ["1", "2", "3"]),
            ("$filter=Orders/$count($filter=Total gt 150) eq 1", ["2", "3"]),
            ("$filter=contains(Name,'n')", ["1", "2"]),
            ("$filter=(contains(Name,'n') and startswith(Name,'A')) or ClientId in (3)", ["1", "3"]),
        ]
    )
    func `filters choose rows`(query: String, expected: [String]) throws {
        #expect(try keys(query) == expected)
    }

    @Test(.covers("OD-1.5.3", "OD-1.4.9.h")) func `a single-valued navigation property may be null`() throws {
        #expect(try keys("$filter=Client eq null", "Orders", "OrderId") == ["40"])
        #expect(try keys("$filter=Client ne null", "Orders", "OrderId") == ["10", "20", "30"])
    }

    @Test(.covers("OD-1.2.5", "OD-1.2.12", "OD-1.2.17", "OD-1.3.6", "OD-1.3.8"))
    func `order, top and skip cut the result`() throws {
        #expect(try keys("$orderby=Name desc") == ["3", "2", "1"])
        #expect(try keys("$orderby=OwnerId asc,Name desc") == ["3", "1", "2"])
        #expect(try keys("$top=1") == ["1"])
        #expect(try keys("$skip=1&$top=1") == ["2"])
        #expect(try keys("$top=0") == [])
    }

    @Test(.covers("OD-1.2.13", "OD-1.2.16", "OD-1.3.7"))
    func `the count is that of all that match`() throws {
        let shop = try Shop(open: true)
        #expect(shop.get("Clients?$count=true&$top=1&$filter=OwnerId%20eq%201").text.contains("\"@count\":2"))
        #expect(shop.get("Clients/$count").text == "3")
        #expect(!shop.get("Clients?$count=false").text.contains("@count"))
    }

    @Test(.covers("DA-22", "OD-1.2.14", "OD-1.2.7.5", "OD-1.3.9.2", "OD-1.3.9.4", "OD-1.3.9.5", "OD-1.3.9.6"))
    func `an expansion has options of its own`() throws {
        let shop = try Shop(open: true)
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 1, 1), (12, 'twelve', 2, 1), (13, 'thirteen', 3, 1)")
        let reply = shop.get(
            "Clients(1)?$select=Name&$expand=Orders($filter=Total%20lt%20100;$orderby=Total%20desc;$skip=1;$top=1;$count=true;$select=Title)"
        )
        #expect(
            reply.text.withoutETags.contains(
                ##""Orders@count":3,"Orders":[{"@etag":"W/\"\"","OrderId":12,"Title":"twelve"}]"##
            )
        )
    }

    @Test(
        .covers("OD-1.1.7", "OD-1.2.2"),
        arguments: [
            ("Clients?$apply=ancestors($root/Clients,H,ClientId,identity)", 501),
            ("$crossjoin(Clients,Orders)?$search=x", 501),
            ("Clients?$search=x", 501),
            ("Clients?$filter=Name%20eq", 400), ("Clients?$nothing=1", 400), ("Clients?custom=1", 200),
            ("Clients?$orderby=Name%20sideways", 400), ("Clients?$orderby=%5B'a'%5D", 400),
            ("Clients?$filter=Nothing()%20eq%201", 501),
        ]
    )
    func `what is not supported or not understood is refused`(path: String, status: Int) throws {
        #expect(try Shop(open: true).get(path).status == status)
    }

    @Test(.covers("DA-39")) func `rows are aggregated, ordered and cut into pages`() throws {
        let shop = try Shop(open: true)
        let reply = shop.get(
            "Orders?$apply=groupby((Client/OwnerId),aggregate(Total%20with%20sum%20as%20Sum))&$orderby=Sum%20desc&$top=1"
        )
        #expect(
            reply.text
                == ##"{"@context":"/odata/shop/$metadata#Orders(Client(OwnerId),Sum)","value":[{"Client":{"OwnerId":1},"Sum@type":"Int64","Sum":400}]}"##
        )
        let page = shop.get("Orders?$apply=groupby((Title))", ["Prefer": "maxpagesize=3"])
        #expect(shop.get(try #require(page.link("nextLink"))).text.contains("\"Title\""))
        // What a policy hides is no part of a sum.
        let sum = try Shop().get("Orders?$apply=aggregate(Total%20with%20sum%20as%20Sum)")
        #expect(sum.text.hasSuffix(##""value":[{"Sum@type":"Int64","Sum":400}]}"##))
    }

    @Test(.covers("OD-1.1.1", "OD-1.4.2", "OD-1.8.9", "OD-1.8.10"))
    func `the service document has the form of the version`() throws {
        let shop = try Shop(open: true)
        #expect(
            shop.get("", ["OData-MaxVersion": "4.0"]).text.hasPrefix(
                ##"{"@odata.context":"/odata/shop/$metadata","value":[{"name":"Clients","kind":"EntitySet","url":"Clients"}"##
            )
        )
        #expect(shop.get("", ["Accept": "application/json;metadata=none"]).text.hasPrefix(##"{"value":["##))
        #expect(shop.send(.head, "").status == 200 && shop.send(.head, "").text.isEmpty)
    }
}
