// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// Each limit of the service: what is within works, what is beyond is a clear error, and nothing was changed.
struct LimitTests {
    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    // MARK: URLs and expressions

    @Test(arguments: [
        ("depth of parentheses", "Labels?$filter=", "(", "true", ")", 90, 101),
        ("depth of not", "Labels?$filter=", "not ", "true", "", 90, 101),
        ("depth of calls", "Labels?$filter='a' eq ", "tolower(", "Text", ")", 20, 101),
        ("items of $orderby", "Labels?$orderby=Id", ",Id", "", "", 90, 101),
        ("items of $select", "Labels?$select=Id", ",Id", "", "", 90, 2001),
        ("items of $expand", "Items?$expand=Labels", ",Labels", "", "", 0, 201),
        ("terms of $search", "Items?$search=a", " a", "", "", 90, 201),
        ("computed properties", "Labels?$compute=Id add 1 as A", ",Id add 1 as B", "", "", 0, 101),
        ("segments of the path", "Items(1)", "/Parent", "", "", 0, 200),
        ("names of a path in a filter", "Items?$filter=", "Parent/", "Name eq 'x'", "", 3, 60),
    ])
    func `a request has so many parts at most`(
        name: String,
        start: String,
        open: String,
        middle: String,
        close: String,
        within: Int,
        beyond: Int
    ) throws {
        let depot = try Depot()
        if within > 0 {
            let reply = depot.get(start + repeated(open, within) + middle + repeated(close, within))
            #expect(reply.status == 200, "\(name) \(reply.text.prefix(300))")
        }
        let reply = depot.get(start + repeated(open, beyond) + middle + repeated(close, beyond))
        #expect(reply.status == 400, "\(name) \(reply.text.prefix(300))")
        #expect(
            ["TooComplex", "InvalidFilter", "InvalidExpand", "InvalidQueryOption"].contains(reply.code ?? "-"),
            "\(name)"
        )
        #expect(reply.bytes.count < 2_000, "\(name)")
    }

    /// What the parser takes may still be too deep for the database: that is the request's fault, not the server's.
    @Test func `an expression that is too deep for the database is told so`() throws {
        let reply = try Depot().get("Labels?$filter='a' eq " + repeated("tolower(", 90) + "Text" + repeated(")", 90))
        #expect(reply.status == 400 && reply.code == "TooComplex", "\(reply.text)")
    }

    @Test func `a list, a path and a query have a length`() throws {
        let depot = try Depot()
        let list = (0...10_000).map(String.init).joined(separator: ",")
        let cases = [
            ("Labels?$filter=Id in (\(list))", "TooComplex"), ("Labels(\(repeated("1", 70_000)))", "TooComplex"),
            ("Labels?$filter=Text eq '\(repeated("x", 3_000_000))'", "TooComplex"),
        ]
        for (path, code) in cases {
            let reply = depot.get(path)
            #expect(
                reply.status == 400 && reply.code == code,
                "\(path.prefix(40)) \(reply.status) \(reply.text.prefix(200))"
            )
        }
        let within = (0..<10_000).map(String.init).joined(separator: ",")
        #expect(depot.get("Labels/$count?$filter=Id in (\(within))").text == "2")
    }

    @Test func `expansions nest so deep, and no deeper`() throws {
        let depot = try Depot(limits: ServiceLimits(expandDepth: 3))
        func path(_ depth: Int) -> String {
            "Items?$expand=" + repeated("Children($expand=", depth - 1) + "Children" + repeated(")", depth - 1)
        }
        #expect(depot.get(path(3)).status == 200)
        let reply = depot.get(path(4))
        #expect(reply.status == 400 && reply.code == "TooComplex", "\(reply.text)")
        #expect(reply.text.contains("3"))
        #expect(depot.get("Items?$expand=Children($levels=4)").status == 400)
        #expect(depot.get("Items?$expand=Children($levels=3)").status == 200)
    }

    // MARK: Bodies, batches, pages

    @Test func `a body and a batch have a size, and a batch has so many requests`() throws {
        let limits = ServiceLimits(bodyBytes: 1_000, batchRequests: 3, batchBytes: 4_000)
        let depot = try Depot(limits: limits)
        func label(_ length: Int) -> String { ##"{"Id":9,"Text":"\##(repeated("x", length))"}"## }
        let large = depot.send(.post, "Labels", label(1_000))
        #expect(large.status == 413 && large.code == "TooLarge" && large.text.contains("1000"), "\(large.text)")
        #expect(depot.send(.post, "Labels", label(900)).status == 201)
        func batch(_ count: Int, _ padding: Int = 0) -> String {
            let items = (0..<count).map { ##"{"id":"\##($0)","method":"get","url":"Labels(1)"}"## }
            return ##"{"requests":[\##(items.joined(separator: ","))],"x":"\##(repeated("x", padding))"}"##
        }
        #expect(depot.send(.post, "$batch", batch(3)).status == 200)
        let many = depot.send(.post, "$batch", batch(4))
        #expect(many.status == 400 && many.code == "TooComplex" && many.text.contains("3"), "\(many.text)")
        let long = depot.send(.post, "$batch", batch(1, 5_000))
        #expect(long.status == 413 && long.code == "TooLarge", "\(long.text)")
        let inner =
            ##"{"requests":[{"id":"1","method":"post","url":"Labels","body":{"Id":8,"Text":"\##(repeated("x", 1_500))"}}]}"##
        #expect(depot.send(.post, "$batch", inner).tree["responses"]?.items.first?["status"]?.scalar == "413")
        let parts =
            (0..<4).map { _ in
                "--b\r\nContent-Type: application/http\r\n\r\nGET Labels(1) HTTP/1.1\r\n\r\n\r\n"
            }.joined() + "--b--\r\n"
        let multipart = depot.send(.post, "$batch", parts, ["Content-Type": "multipart/mixed;boundary=b"])
        #expect(multipart.status == 400 && multipart.code == "TooComplex", "\(multipart.text)")
        #expect(try depot.value("SELECT count(*) FROM Labels") == "3")
    }

    @Test(.covers("OD-1.1.3"))
    func `a page has so many rows, whatever is asked`() throws {
        let depot = try Depot(limits: ServiceLimits(pageRows: 2))
        for (path, prefer) in [("Items", ""), ("Items?$top=3", ""), ("Items", "maxpagesize=100"), ("$all", "")] {
            let reply = depot.get(path, ["Prefer": prefer])
            #expect(reply.tree["value"]?.items.count == 2, "\(path)")
            #expect(reply.tree["@nextLink"] != nil, "\(path)")
            #expect(reply.fields[.preferenceApplied] == nil)
        }
        let nested = depot.get("Items(1)?$expand=Parts,Labels&$select=Id")
        #expect(nested.status == 200)
    }

    // MARK: Hostile JSON

    @Test(
        arguments: [
            (##"{"Id":9,"Id":10,"Text":"x"}"##, "InvalidBody"),
            (##"{"Id":9,"Text":"x","Te\u0078t":"y"}"##, "InvalidBody"),
            (##"{"Id":9,"Text":"\ud800"}"##, "InvalidJSON"), (##"{"Id":9,"Text":"\udc00\ud800"}"##, "InvalidJSON"),
            (##"{"Id":9,"Text":"\ud83d"}"##, "InvalidJSON"), (##"{"Id":9,"\ud800":"x"}"##, "InvalidJSON"),
            (##"{"Id":99999999999999999999999999,"Text":"x"}"##, "InvalidValue"),
            (##"{"Id":1e400,"Text":"x"}"##, "InvalidValue"),
            (##"{"Id":9.5,"Text":"x"}"##, "InvalidValue"), (##"{"Id":-0.0,"Text":"x"}"##, "InvalidValue"),
            (##"{"Id":NaN,"Text":"x"}"##, "InvalidJSON"), (##"{"Id":+9,"Text":"x"}"##, "InvalidJSON"),
            (##"{"Id":09,"Text":"x"}"##, "InvalidJSON"), (##"{"Id":9,"Text":'x'}"##, "InvalidJSON"),
            (##"{"Id":9,"Text":"x",}"##, "InvalidJSON"), (##"{"Id":9,"Text":"x"} {}"##, "InvalidJSON"),
            (##"{"Id":9,/* */"Text":"x"}"##, "InvalidJSON"), ("[{\"Id\":9,\"Text\":\"x\"}]", "InvalidBody"),
            ("\"x\"", "InvalidBody"), ("", nil), ("{", "InvalidJSON"),
            ("{\"Id\":9,\"Text\":\"a\u{0}b\"}", "InvalidJSON"),
        ] as [(String, String?)]
    )
    func `a body that is no JSON object of the standard is refused`(body: String, code: String?) throws {
        let depot = try Depot()
        let reply = depot.send(.post, "Labels", body)
        #expect(reply.status == 400, "\(reply.text)")
        if let code { #expect(reply.code == code, "\(reply.text)") }
        #expect(try depot.value("SELECT count(*) FROM Labels") == "2")
        #expect(reply.bytes.count < 2_000)
    }

    /// Under a bound of its own: an answer that grew with the hostile part would be far longer.
    @Test func `nesting and repetition end at a limit`() throws {
        let depot = try Depot()
        let deep = [
            ##"{"Id":9,"Text":"x","Parts":"## + repeated("[", 200_000), ##"{"Extra":"## + repeated("{\"a\":", 200_000),
            ##"{"Name":"n","Kind":"thing","Id":9,"Extra":"## + repeated("[", 120) + repeated("]", 120) + "}",
            ##"{"Name":"n","Kind":"thing","Id":9,"Children":"## + repeated(##"[{"Id":1,"Children":"##, 30) + "[]"
                + repeated("}]", 30) + "}",
            "{" + (0..<2_000).map { "\"p\($0)\":1" }.joined(separator: ",") + ##","Id":9,"Name":"n","Kind":"thing"}"##,
            ##"{"Id":9,"Name":"n","Kind":"thing","Tags":["## + repeated("\"x\",", 200_000) + "1]}",
        ]
        for body in deep {
            let reply = depot.send(.post, "Items", body)
            #expect(reply.status == 400, "\(body.prefix(60)) \(reply.text.prefix(200))")
            #expect(reply.bytes.count < 2_000)
        }
        #expect(try depot.value("SELECT count(*) FROM Items") == "3")
    }

    @Test func `numbers as long as a body are numbers or errors, never a wait`() throws {
        let depot = try Depot()
        let long = repeated("9", 100_000)
        for (name, value) in [
            ("Ratio", long), ("Amount", long), ("Big", long), ("Small", "1e" + long), ("Amount", "1e" + long),
            ("Amount", "0." + long), ("Ratio", "0." + repeated("0", 100_000) + "1"), ("Tiny", "256"), ("Sign", "-129"),
        ] {
            let reply = depot.send(.patch, "Facts(2)", "{\"\(name)\":\(value)}")
            #expect(reply.status == 400 || reply.status == 204, "\(name) \(value.prefix(20)) \(reply.text.prefix(200))")
            let text = depot.send(.patch, "Facts(2)", "{\"\(name)\":\"\(value)\"}")
            #expect(text.status == 400 || text.status == 204, "\(name) \(value.prefix(20))")
            #expect(depot.get("Facts(2)").bytes.count < 2_000, "\(name)")
        }
        for (value, status) in [
            ("9223372036854775807", 204), ("9223372036854775808", 400), ("-9223372036854775808", 204),
        ] {
            #expect(depot.send(.patch, "Facts(2)", "{\"Big\":\(value)}").status == status)
        }
    }
}
