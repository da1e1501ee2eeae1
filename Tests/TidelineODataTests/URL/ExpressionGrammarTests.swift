// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

struct ExpressionGrammarTests {
    private func parse(_ text: String) throws -> Expression { try ExpressionParser.parse(text) }

    @Test func `lambdas, counts and casts have their own shape`() throws {
        let hundred = Expression.literal(.integer(100))
        #expect(
            try parse("Items/any(i:i/Quantity gt 100)")
                == .lambda(
                    .any,
                    over: ["Items"],
                    variable: "i",
                    .binary(.greaterThan, .path(["i", "Quantity"]), hundred)
                )
        )
        #expect(try parse("A/N.T/Items/ANY()") == .lambda(.any, over: ["A", "N.T", "Items"], variable: nil, nil))
        #expect(
            try parse("Items/$count($filter=Price gt 100;$search=blue OR red)")
                == .count(
                    of: ["Items"],
                    filter: .binary(.greaterThan, .path(["Price"]), hundred),
                    search: .or(.word("blue"), .word("red"))
                )
        )
        #expect(try parse("cast(Price,Edm.String)") == .cast(.path(["Price"]), type: "Edm.String"))
        #expect(try parse("isof(N.T)") == .isOf(nil, type: "N.T"))
        #expect(
            try parse("cast(A/B,Collection(Edm.Int32))") == .cast(.path(["A", "B"]), type: "Collection(Edm.Int32)")
        )
        #expect(
            try parse("case(A gt 0:1,true:-1)")
                == .conditional([
                    .init(
                        condition: .binary(.greaterThan, .path(["A"]), .literal(.integer(0))),
                        value: .literal(.integer(1))
                    ),
                    .init(condition: .literal(.boolean(true)), value: .literal(.integer(-1))),
                ])
        )
        #expect(
            try parse("Sales/aggregate(Amount with sum)")
                == .aggregate(over: ["Sales"], [AggregateItem(.expression(.path(["Amount"])), with: .sum)])
        )
    }

    @Test func `enumerations, places and JSON are literals`() throws {
        #expect(
            try parse("Style has N.Color'Red,4'")
                == .binary(.has, .path(["Style"]), .enumeration(type: "N.Color", members: "Red,4"))
        )
        let point = Geography(.point(Geography.Position(8.5, 47.3)))
        #expect(try parse("geography'SRID=4326;Point(8.5 47.3)'") == .literal(.geography(point)))
        #expect(
            try parse("GEO.Distance(A,geometry'srid=0;POINT (1 2)')")
                == .call(
                    .geoDistance,
                    [
                        .path(["A"]),
                        .literal(.geography(Geography(.point(Geography.Position(1, 2)), srid: 0, isFlat: true))),
                    ]
                )
        )
        #expect(
            try parse("A in [\"x\\u0041\",'y',null]")
                == .isIn(.path(["A"]), [.literal(.string("xA")), .literal(.string("y")), .literal(.null)])
        )
        #expect(
            try parse("{\"a\":{},\"b\":[1]}")
                == .object([
                    .init(name: "a", value: .object([])), .init(name: "b", value: .list([.literal(.integer(1))])),
                ])
        )
        #expect(try parse("A in B/C") == .isInCollection(.path(["A"]), .path(["B", "C"])))
    }

    @Test func `what names alone cannot say is a general path`() throws {
        #expect(
            try parse("$root/Orders(1)/Client")
                == .general([
                    .root, .name("Orders"), .key([PathArgument(name: nil, value: .literal(.integer(1)))]),
                    .name("Client"),
                ])
        )
        #expect(
            try parse("Price/@Core.Unit#Short")
                == .general([.name("Price"), .annotation(term: "Core.Unit", qualifier: "Short")])
        )
        #expect(
            try parse("N.Best(year=2026)/Name")
                == .general([
                    .function("N.Best", [PathArgument(name: "year", value: .literal(.integer(2026)))]), .name("Name"),
                ])
        )
        #expect(try parse("$it/Name") == .path(["Name"]))
        #expect(try parse("$this") == .path(["$this"]))
        #expect(
            try parse("A/any(x:x/B eq $it/B)")
                == .lambda(.any, over: ["A"], variable: "x", .binary(.equal, .path(["x", "B"]), .path(["$it", "B"])))
        )
    }

    @Test func `an alias of nested options stands for the instance where it is given`() throws {
        let options = try QueryOptions(
            parsing: "$expand=A(@m=$this;$filter=@m/B eq 1;$expand=C($filter=@m/B eq D))"
        )
        let nested = try #require(options.expand.first?.options)
        #expect(nested.filter == .binary(.equal, .path(["$this", "B"]), .literal(.integer(1))))
        #expect(
            nested.expand.first?.options.filter
                == .binary(.equal, .general([.alias("m"), .name("B")]), .path(["D"]))
        )
        // A null would be a wrong answer.
        let error = #expect(throws: ODataError.self) { try QueryOptions(parsing: "$expand=A($filter=@m eq 1;@m=2)") }
        #expect(error?.code == "NotSupported")
    }

    @Test(arguments: [
        ("a in (b,c)", 7), ("N.Available", 11), ("any()", 3), ("A/all()", 6), ("A/$value", 2), ("A/$filter(b", 11),
        ("case(a)", 6), ("cast(a,)", 7), ("[1,2", 4), ("{\"a\"}", 4), ("{a:1}", 1), ("N.F(1)", 6), ("$nope", 0),
        ("geography'Point(1 2)'", 0), ("N.C'a b'", 4), ("a has", 5), ("Foo'x'", 0),
    ])
    func `a mistake is told where it stands`(text: String, offset: Int) {
        let error = #expect(throws: ODataError.self) { try ExpressionParser.parse(text) }
        #expect(error?.offset == offset, "\(text): \(error?.message ?? "")")
    }

    @Test(arguments: [
        ("blue green", "blue AND green"), ("a OR b c", "a OR b AND c"), ("(a OR b) c", "(a OR b) AND c"),
        ("NOT a b", "NOT a AND b"), ("NOT (a b)", "NOT (a AND b)"), ("\"full text\" x", "\"full text\" AND x"),
        ("AND", "\"AND\""), ("NOT NOT", "NOT \"NOT\""), ("AND OR", "\"AND\" AND \"OR\""), ("9,81", "9,81"),
        ("'\"x'", "'\"x'"), ("a AND NOT b", "a AND NOT b"),
    ])
    func `a search has its words and operators`(text: String, printed: String) throws {
        let query = "$search=\(PercentCoding.encode(queryValue: text))"
        let search = try #require(try QueryOptions(parsing: query[...]).search)
        #expect(search.text == printed)
    }

    @Test(arguments: [
        "filter(Amount gt 1)/groupby((Country,rollup($all,Product/Category,Product/Name)),aggregate(Amount with sum as S))",
        "aggregate($count as N,Items/$count as M,Amount mul 2 with N.Median as X,Forecast,Amount with average from Year with max as Y)",
        "concat(topcount(5,Amount),bottompercent(10,Amount)/aggregate($count as N),identity)",
        "compute(A add B as C)/orderby(C desc)/skip(1)/top(2)",
        "search(blue OR red)/expand(Lines,filter(A eq 1),expand(Product))",
        "addnested(Lines,filter(A eq 1)/top(3) as Best,identity as All)",
        "join(Lines as L,filter(L/A eq 1))/outerjoin(Tags as T)/nest(groupby((A)) as G)", "N.Custom(a=1)/N.Other()",
        "ancestors($root/Units,H,Id,filter(contains(Name,'a)')),keep start)",
        "groupby((rolluprecursive($root/Units,H,Id)))",
    ])
    func `transformations read back as they are written`(text: String) throws {
        let query = "$apply=\(PercentCoding.encode(queryValue: text))"
        let apply = try #require(try QueryOptions(parsing: query[...]).apply)
        #expect(Transformation.text(apply) == text)
    }

    @Test(arguments: [
        "$apply=", "$apply=nope(1)", "$apply=aggregate(Amount with sum)", "$apply=aggregate(A add B as C)",
        "$apply=groupby(A)",
        "$apply=filter(a eq 1", "$apply=aggregate(A with median as B)", "$apply=topcount(5)",
        "$apply=join(A,filter(b))",
        "$compute=A add B", "$compute=A as", "$levels=2", "$search=a;b", "$search=(a", "$search=\"a", "$index=a",
        "$format=csv",
        "$select=A/", "$select=A(B", "$select=N.", "$expand=*/$count", "$expand=*($top=1)", "$expand=A/$ref($levels=1)",
        "$expand=A($levels=0)", "$expand=$ref", "$expand=A($count)", "$expand=A(@me=1)", "@p=(", "$schemaversion=",
    ])
    func `an option of another form is refused`(query: String) {
        #expect(throws: ODataError.self) { try QueryOptions(parsing: query[...]) }
    }
}
