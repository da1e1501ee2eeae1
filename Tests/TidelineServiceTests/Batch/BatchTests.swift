// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

struct BatchTests {
    private func batch(
        _ shop: Shop,
        _ requests: [String],
        _ headers: [String: String] = [:],
        as user: UserContext = Shop.alice
    ) -> Shop.Reply {
        shop.send(.post, "$batch", #"{"requests":["# + requests.joined(separator: ",") + "]}", headers, as: user)
    }

    private func request(
        _ id: String,
        _ method: String,
        _ url: String,
        _ body: String = "",
        group: String? = nil,
        dependsOn: [String] = [],
        headers: String = ""
    ) -> String {
        var text = #"{"id":"\#(id)","method":"\#(method)","url":"\#(url)""#
        if let group { text += #","atomicityGroup":"\#(group)""# }
        if !dependsOn.isEmpty { text += ",\"dependsOn\":[\(dependsOn.map { "\"\($0)\"" }.joined(separator: ","))]" }
        if !headers.isEmpty { text += ",\"headers\":{\(headers)}" }
        if !body.isEmpty { text += ",\"body\":\(body)" }
        return text + "}"
    }

    /// The statuses of a batch's answer, by id.
    private func statuses(_ reply: Shop.Reply) throws -> [String: Int] {
        var statuses: [String: Int] = [:]
        for part in reply.text.split(separator: "{\"id\":\"").dropFirst() {
            let id = String(part.prefix { $0 != "\"" })
            guard let mark = part.firstRange(of: "\"status\":") else { continue }
            statuses[id] = Int(part[mark.upperBound...].prefix { $0.isNumber })
        }
        return statuses
    }

    @Test
    func `requests are answered one by one, and errors stop nothing`() throws {
        let shop = try Shop()
        let reply = batch(
            shop,
            [
                request("1", "GET", "Clients/$count"), request("2", "GET", "Clients(2)"),
                request("3", "GET", "/odata/shop/Clients(1)/Name"),
                request("4", "PATCH", "Clients(1)", #"{"Name":"New"}"#), request("5", "GET", "Nonsense"),
            ]
        )
        #expect(reply.status == 200)
        #expect(try statuses(reply) == ["1": 200, "2": 404, "3": 200, "4": 204, "5": 404])
        let stopped = batch(
            shop,
            [request("1", "GET", "Clients(2)"), request("2", "GET", "Clients(1)")],
            ["Prefer": "continue-on-error=false"]
        )
        #expect(try statuses(stopped) == ["1": 404, "2": 424])
    }

    @Test
    func `a group is done whole or not at all`() throws {
        let shop = try Shop()
        let reply = batch(
            shop,
            [
                request("1", "POST", "Notes", #"{"NoteId":"g1","OwnerId":1}"#, group: "g"),
                request("2", "POST", "Notes", #"{"NoteId":"g2","OwnerId":2}"#, group: "g"),
                request("3", "GET", "Notes", group: nil, dependsOn: ["g"]),
                request("4", "POST", "Notes", #"{"NoteId":"g3","OwnerId":1}"#, group: "h"),
            ]
        )
        #expect(try statuses(reply) == ["1": 424, "2": 403, "3": 424, "4": 201])
        #expect(try shop.value("SELECT group_concat(NoteId) FROM Notes WHERE NoteId LIKE 'g%'") == "g3")
    }

    @Test
    func `new rows are referred to before their keys are known`() throws {
        let shop = try Shop()
        let reply = batch(
            shop,
            [
                request("1", "POST", "Clients", #"{"Name":"Dan","OwnerId":1}"#, group: "t1"),
                request("2", "POST", "Orders", #"{"OrderId":60,"Client@bind":"$1"}"#, group: "t1"),
                request("3", "POST", "$1/Orders", #"{"OrderId":61}"#, group: "t1"),
                request(
                    "4",
                    "PATCH",
                    "Orders(60)",
                    #"{"Title":"sixty"}"#,
                    group: "t2",
                    dependsOn: ["t1"],
                    headers: #""If-Match":"$2""#
                ),
                request(
                    "5",
                    "PATCH",
                    "Orders(60)",
                    #"{"Title":"late"}"#,
                    group: "t3",
                    dependsOn: ["t2"],
                    headers: #""If-Match":"$2""#
                ),
                request("6", "GET", "$1/Name", dependsOn: ["1"]),
            ]
        )
        #expect(try statuses(reply) == ["1": 201, "2": 201, "3": 201, "4": 204, "5": 412, "6": 200])
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 4") == "60,61")
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 60") == "sixty")
    }

    @Test
    func `a reference is found however it is written`() throws {
        let shop = try Shop()
        let reply = batch(
            shop,
            [
                request("1", "POST", "Clients", #"{"Name":"Dan","OwnerId":1}"#, group: "t1"),
                request("2", "POST", "Orders", #"{"OrderId":60,"Client@bind":"\u00241"}"#, group: "t1"),
                request("3", "POST", "Orders", #"{"OrderId":61,"Client@bind":"/odata/shop/$1"}"#, group: "t1"),
                request("4", "POST", "Orders", #"{"OrderId":62,"Client@bind":"$1","Title":"for $1"}"#, group: "t1"),
            ]
        )
        #expect(try statuses(reply) == ["1": 201, "2": 201, "3": 201, "4": 201])
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 4") == "60,61,62")
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 62") == "for $1")
    }

    @Test
    func `unique values are freed before they are taken`() throws {
        let shop = try Shop()
        let swap = batch(
            shop,
            [
                request("1", "PATCH", "Notes('a')", #"{"Slug":"s3"}"#, group: "a"),
                request("2", "PATCH", "Notes('c')", #"{"Slug":"s1"}"#, group: "a"),
                request("3", "PATCH", "Notes('a')", #"{"Slug":"s1"}"#, group: "b", headers: #""If-Match":"$1""#),
                request("4", "PATCH", "Notes('c')", #"{"Slug":"s3"}"#, group: "b", headers: #""If-Match":"$2""#),
            ]
        )
        #expect(try statuses(swap) == ["1": 204, "2": 204, "3": 204, "4": 204])
        #expect(try shop.value("SELECT group_concat(NoteId || Slug) FROM Notes WHERE OwnerId = 1") == "as1,cs3")
        let taken = batch(
            shop,
            [
                request("1", "POST", "Notes", #"{"NoteId":"d","OwnerId":1,"Slug":"s1"}"#, group: "a"),
                request("2", "DELETE", "Notes('a')", group: "a"),
            ]
        )
        #expect(try statuses(taken) == ["1": 201, "2": 204])
        let again = batch(
            shop,
            [
                request("1", "DELETE", "Notes('d')", group: "a"),
                request("2", "POST", "Notes", #"{"NoteId":"d","OwnerId":1,"Text":"again"}"#, group: "a"),
            ]
        )
        #expect(try statuses(again) == ["1": 204, "2": 201])
        #expect(try shop.value("SELECT Text FROM Notes WHERE NoteId = 'd'") == "again")
    }

    @Test(.covers("DA-60"))
    func `where the third change of a group fails nothing is done, and it is told which`() throws {
        let shop = try Shop(open: true)
        let reply = batch(
            shop,
            [
                request("1", "PATCH", "Orders(10)", #"{"Title":"x"}"#, group: "a"),
                request("2", "DELETE", "Orders(40)", group: "a"),
                request("3", "POST", "Notes", #"{"NoteId":"d","OwnerId":1,"Slug":"s1"}"#, group: "a"),
            ]
        )
        #expect(try statuses(reply) == ["1": 424, "2": 424, "3": 409])
        #expect(reply.text.contains(#""code":"DuplicateValue""#) && reply.text.contains(#""target":"Slug""#))
        let rows = "SELECT (SELECT group_concat(OrderId || Title) FROM Orders) || (SELECT count(*) FROM Notes)"
        #expect(try shop.value(rows) == "10ten,20twenty,30thirty,40none3")
    }

    @Test(.covers("DA-25"))
    func `a parent may come after its child`() throws {
        let shop = try Shop(open: true)
        let reply = batch(
            shop,
            [
                request("1", "POST", "Orders", #"{"OrderId":70,"ClientId":4}"#, group: "a"),
                request("2", "POST", "Clients", #"{"Name":"Dan"}"#, group: "a"),
            ]
        )
        #expect(try statuses(reply) == ["1": 201, "2": 201])
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 70") == "4")
    }

    @Test
    func `a request that fails in its second row and is tried again leaves its first row once`() throws {
        let shop = try Shop()
        let reply = batch(
            shop,
            [
                request(
                    "1",
                    "POST",
                    "Clients",
                    #"{"Name":"New","OwnerId":1,"Orders":[{"OrderId":10,"Title":"new ten"}]}"#,
                    group: "g"
                ),
                request("2", "PATCH", "Clients(3)", #"{"Name":"Cyd"}"#, group: "g"),
                request("3", "DELETE", "Orders(10)", group: "g"),
            ]
        )
        #expect(try statuses(reply) == ["1": 201, "2": 204, "3": 204], "\(reply.text)")
        #expect(try shop.value("SELECT count(*) FROM Clients") == "4")
        #expect(try shop.value("SELECT Title || ClientId FROM Orders WHERE OrderId = 10") == "new ten4")
    }

    @Test
    func `all answers of a snapshot are of one moment, whole`() throws {
        let shop = try Shop(limits: ServiceLimits(pageRows: 1))
        let link = try #require(shop.get("Notes?$deltatoken=latest").link("deltaLink"))
        try shop.sql("UPDATE Notes SET Text = 'changed'")
        let reply = batch(
            shop,
            [
                request("1", "GET", "Clients?$select=Name"), request("2", "GET", "Nonsense"), request("3", "GET", link),
                request("4", "GET", "Clients(1)", dependsOn: ["2"]),
            ],
            ["Isolation": "snapshot", "Repeatability-Client-ID": "nobody"]
        )
        #expect(reply.status == 200)
        #expect(try statuses(reply) == ["1": 200, "2": 404, "3": 200, "4": 424])
        #expect(reply.text.contains("Ann") && reply.text.contains("Cid") && !reply.text.contains("nextLink"))
        #expect(
            reply.text.contains(#""NoteId":"a""#) && reply.text.contains(#""NoteId":"c""#)
                && !reply.text.contains(#""NoteId":"b""#)
        )
        #expect(reply.fields[.init("Tideline-Decided")!] == "0")
        let stopped = batch(
            shop,
            [request("1", "GET", "Clients"), request("2", "GET", "Nonsense"), request("3", "GET", "Clients")],
            ["Isolation": "snapshot", "Prefer": "continue-on-error=false"]
        )
        #expect(try statuses(stopped) == ["1": 200, "2": 404, "3": 424])
        #expect(stopped.fields[.preferenceApplied] == "continue-on-error=false")
        let write = batch(shop, [request("1", "DELETE", "Notes('a')")], ["Isolation": "snapshot"])
        #expect(write.status == 412 && Shop.code(write) == "SnapshotUnsupported")
    }

    @Test
    func `hidden rows stay hidden in a batch`() throws {
        let shop = try Shop()
        let hidden = batch(
            shop,
            [
                request("1", "GET", "Clients(2)"), request("2", "PATCH", "Clients(2)", #"{"Name":"x"}"#, group: "a"),
                request("3", "POST", "Orders", #"{"OrderId":80,"Client@bind":"Clients(2)"}"#, group: "b"),
            ]
        )
        let absent = batch(
            shop,
            [
                request("1", "GET", "Clients(9)"), request("2", "PATCH", "Clients(9)", #"{"Name":"x"}"#, group: "a"),
                request("3", "POST", "Orders", #"{"OrderId":80,"Client@bind":"Clients(9)"}"#, group: "b"),
            ]
        )
        #expect(hidden.text == absent.text)
        #expect(try statuses(hidden) == ["1": 404, "2": 404, "3": 409])
    }

    @Test(arguments: [
        "", "{}", #"{"requests":{}}"#, #"{"requests":[{"id":"1"}]}"#,
        #"{"requests":[{"id":"1","method":"GET","url":"Clients"},{"id":"1","method":"GET","url":"Clients"}]}"#,
        #"{"requests":[{"id":"1","method":"GET","url":"Clients","dependsOn":["2"]},{"id":"2","method":"GET","url":"Clients"}]}"#,
    ])
    func `a malformed batch is refused`(body: String) throws {
        let shop = try Shop()
        #expect(shop.send(.post, "$batch", body, ["Content-Type": "application/json"]).status == 400)
    }

    @Test
    func `what belongs into the requests is refused on the batch`() throws {
        let shop = try Shop()
        #expect(batch(shop, [], ["If-Match": "*"]).status == 400)
        #expect(batch(shop, [], ["Isolation": "serializable"]).status == 412)
        let small = try Shop(limits: ServiceLimits(batchRequests: 1, batchBytes: 1_024))
        #expect(batch(small, [request("1", "GET", "Clients"), request("2", "GET", "Clients")]).status >= 400)
        #expect(
            batch(
                small,
                [request("1", "GET", "Clients?$filter=Name eq '" + String(repeating: "x", count: 2_000) + "'")]
            ).status == 413
        )
    }

    @Test
    func `each request of a group is answered in its own form`() throws {
        /// Three clients with two orders each: in pages of one, whole, and one without its metadata.
        func answers(_ order: [Int]) throws -> [Int: String] {
            let headers = [#""Prefer":"maxpagesize=1""#, "", #""Accept":"application/json;metadata=none""#]
            let requests = order.map { place in
                request(
                    "\(place)",
                    "POST",
                    "Clients",
                    #"{"Name":"N\#(place)","OwnerId":1,"Orders":[{"OrderId":9\#(place)1},{"OrderId":9\#(place)2}]}"#,
                    group: "g",
                    headers: headers[place]
                )
            }
            let reply = batch(try Shop(), requests)
            #expect(reply.status == 200)
            var parts: [Int: String] = [:]
            for part in reply.text.split(separator: "{\"id\":\"").dropFirst() {
                parts[try #require(Int(part.prefix(1)))] = String(part)
            }
            return parts
        }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let parts = try answers(order)
            let (paged, whole, plain) = (parts[0] ?? "", parts[1] ?? "", parts[2] ?? "")
            #expect(paged.contains(#""OrderId":901"#) && !paged.contains(#""OrderId":902"#), "\(order)")
            #expect(paged.contains("Orders@nextLink"))
            #expect(whole.contains(#""OrderId":911"#) && whole.contains(#""OrderId":912"#), "\(order)")
            #expect(!whole.contains("Orders@nextLink") && whole.contains("@context"))
            #expect(plain.contains(#""OrderId":921"#) && plain.contains(#""OrderId":922"#), "\(order)")
            #expect(!plain.contains("@context"))
        }
    }
}
