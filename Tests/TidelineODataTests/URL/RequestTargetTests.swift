// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct RequestTargetTests {
    @Test(arguments: ["$filter=Price+gt+500", "$orderby=Price+desc"])
    func `a plus for a blank, as forms write it, is refused with a word on blanks`(query: String) throws {
        let error = #expect(throws: ODataError.self) { try RequestTarget(parsing: "Products?\(query)") }
        #expect(error?.message == "A + stands for itself in an address; write a blank as %20.")
    }

    @Test(
        arguments: [
            ("", []),
            ("/", []),
            ("$metadata", [ResourcePath.Segment.metadata]),
            ("Orders", [.name("Orders", key: nil)]),
            (
                "Orders(42)/Client/Name/$value",
                [
                    .name("Orders", key: .positional(.integer(42))), .name("Client", key: nil), .name("Name", key: nil),
                    .value,
                ]
            ),
            (
                "Orders(-1)/Lines/$count",
                [.name("Orders", key: .positional(.integer(-1))), .name("Lines", key: nil), .count]
            ),
            ("Products('A%2FB%27%27C')", [.name("Products", key: .positional(.string("A/B'C")))]),
            (
                "Lines(OrderId=1,Code='x')",
                [
                    .name(
                        "Lines",
                        key: .named([
                            .init(name: "OrderId", value: .integer(1)), .init(name: "Code", value: .string("x")),
                        ])
                    )
                ]
            ),
            (
                "Clients(a0000000-0000-0000-0000-000000000001)/Orders/$ref",
                [
                    .name("Clients", key: .positional(.guid(GUID(high: 0xA000_0000_0000_0000, low: 1)))),
                    .name("Orders", key: nil), .ref,
                ]
            ),
            // A combining mark is one character with the dollar or the slash before it, but not one byte.
            ("$\u{0736}", [.reference("\u{0736}")]), ("/$\u{0736}", [.reference("\u{0736}")]),
            ("$12.1/Lines", [.reference("12.1"), .name("Lines", key: nil)]),
        ] as [(String, [ResourcePath.Segment])]
    )
    func `a path is cut into segments`(text: String, segments: [ResourcePath.Segment]) throws {
        #expect(try ResourcePath(parsing: text[...]).segments == segments)
    }

    @Test(arguments: [
        ("Orders(", "InvalidKey"), ("Orders(1)x", "InvalidKey"),
        ("Orders(1,2)", "InvalidKey"),
        ("Orders(null)", "InvalidKey"), ("Orders('O%27Neil')", "InvalidKey"), ("Orders('a/b')", "InvalidKey"),
        ("Orders%zz", "InvalidURL"), ("Orders('%FF')", "InvalidURL"), ("Orders//x", "NotFound"),
        ("Orders/$count/x", "NotFound"),
        ("Orders/$nope", "NotFound"), ("1abc", "NotFound"), ("Shop.Order", "NotFound"), ("$all/$count", "NotFound"),
    ])
    func `a path that is wrong is refused by its kind`(text: String, code: String) {
        let error = #expect(throws: ODataError.self) { try ResourcePath(parsing: text[...]) }
        #expect(error?.code == code)
    }

    @Test func `a key takes the types of its properties, from text too`() throws {
        func key(_ text: String, _ set: EntitySet) throws -> Key { try KeyPredicate(parsing: text).key(for: set.type) }
        #expect(try key("42", Samples.orders) == Key([.integer(42)]))
        #expect(try key("'42'", Samples.orders) == Key([.integer(42)]))
        #expect(try key("OrderId=42", Samples.orders) == Key([.integer(42)]))
        #expect(try key("Code='x',OrderId=1", Samples.lines) == Key([.integer(1), .string("x")]))
        for (text, set) in [
            ("1.5", Samples.orders), ("3000000000", Samples.orders), ("'x'", Samples.orders), ("5", Samples.clients),
            ("1", Samples.lines), ("OrderId=1", Samples.lines), ("OrderId=1,Code='x',Other=1", Samples.lines),
            ("OrderId=1,OrderId=2", Samples.lines),
        ] {
            let error = #expect(throws: ODataError.self) { try key(text, set) }
            #expect(error?.code == "InvalidKey")
        }
    }

    @Test(
        arguments: [
            ("'x'", Samples.orders, "The key property OrderId is an Edm.Int32, and 'x' was given."),
            ("3000000000", Samples.orders, "The key property OrderId is an Edm.Int32, and 3000000000 was given."),
            ("Id=1", Samples.orders, "The key property OrderId, an Edm.Int32, has no value: (Id=1) was given."),
            ("1", Samples.lines, "The key is (OrderId=Edm.Int32,Code=Edm.String), and (1) was given."),
            ("OrderId=1", Samples.lines, "The key property Code, an Edm.String, has no value: (OrderId=1) was given."),
            ("OrderId=1,Code=2", Samples.lines, "The key property Code is an Edm.String, and 2 was given."),
            (
                "OrderId=1,OrderId=2", Samples.lines,
                "The key property OrderId, an Edm.Int32, has more than one value: (OrderId=1,OrderId=2) was given."
            ),
            (
                "OrderId=1,Other=2", Samples.orders,
                "Other is no key property. The key property OrderId is an Edm.Int32, and (OrderId=1,Other=2) was given."
            ),
        ] as [(String, EntitySet, String)]
    )
    func `a key of another type or with other names is told what the key is`(
        text: String,
        set: EntitySet,
        message: String
    ) {
        let error = #expect(throws: ODataError.self) { try KeyPredicate(parsing: text).key(for: set.type) }
        #expect(error?.message == message)
    }

    @Test func `no more of a key is repeated than a sentence holds`() {
        let text = "'" + String(repeating: "x", count: 5_000) + "'"
        let error = #expect(throws: ODataError.self) { try KeyPredicate(parsing: text).key(for: Samples.orders.type) }
        #expect((error?.message.count ?? 0) < 200)
    }

    @Test func `the URL of an entity is percent-encoded and reads back`() throws {
        let key = Key([.integer(-7), .string("a/b 'c'+%&?#é")])
        let url = ResourceURL.entity(set: "Lines", key: key, type: Samples.lines.type)
        #expect(url == "Lines(OrderId=-7,Code='a%2Fb%20''c''%2B%25%26%3F%23%C3%A9')")
        let reference = try ResourceURL.reference("http://h/odata/shop/" + url)
        #expect(reference.set == "Lines")
        #expect(try reference.key.key(for: Samples.lines.type) == key)
    }

    @Test func `all options of a request are read, with and without their dollar`() throws {
        let target = try RequestTarget(
            parsing: "Orders?$filter=Total%20gt%20@p&orderby=Total%20desc,OrderId&$TOP=5&skip=2&$select=OrderId,*"
                + "&$expand=Client,Lines($filter=Code%20eq%20';)';$orderby=Code;$top=3;$count=true;$select=Code),Lines/$ref"
                + "&$count=true&@p=1.5&custom=1&$skiptoken=a%3Db"
        )
        let options = target.options
        #expect(target.path.segments == [.name("Orders", key: nil)])
        #expect(
            options.filter
                == .binary(.greaterThan, .path(["Total"]), .literal(.decimal(EdmDecimal(coefficient: 15, scale: 1))))
        )
        #expect(
            options.orderBy == [OrderByItem(.path(["Total"]), isDescending: true), OrderByItem(.path(["OrderId"]))]
        )
        #expect(options.top == 5)
        #expect(options.skip == 2)
        #expect(options.select == [.property("OrderId"), .all])
        #expect(options.count)
        #expect(options.skipToken == "a=b")
        var nested = QueryOptions()
        nested.filter = .binary(.equal, .path(["Code"]), .literal(.string(";)")))
        nested.orderBy = [OrderByItem(.path(["Code"]))]
        nested.top = 3
        nested.count = true
        nested.select = [.property("Code")]
        #expect(
            options.expand == [
                ExpandItem(navigation: "Client"), ExpandItem(navigation: "Lines", options: nested),
                ExpandItem(navigation: "Lines", content: .references),
            ]
        )
    }

    @Test(arguments: [
        ("$filter=a%20eq", "InvalidFilter", "$filter"), ("$top=-1", "InvalidQueryOption", "$top"),
        ("$top=1.5", "InvalidQueryOption", "$top"), ("$top=99999999999999999999", "InvalidQueryOption", "$top"),
        ("$count=1", "InvalidQueryOption", "$count"), ("$orderby=a%20up", "InvalidOrderBy", "$orderby"),
        ("$select=", "InvalidSelect", "$select"), ("$select=a/", "InvalidSelect", "$select"),
        ("$expand=a($x=1)", "InvalidExpand", "$expand"), ("$expand=a($levels=0)", "InvalidExpand", "$expand"),
        ("$expand=a($top=1", "InvalidExpand", "$expand"), ("$nope=1", "UnknownQueryOption", "$nope"),
        ("$search=a(b", "InvalidQueryOption", "$search"), ("$top=1&top=2", "InvalidQueryOption", "$top"),
        ("@me=1", "InvalidQueryOption", "@me"), ("$filter=a+eq+1", "InvalidFilter", "$filter"),
    ])
    func `an option that is wrong is refused by name`(query: String, code: String, target: String) {
        let error = #expect(throws: ODataError.self) { try QueryOptions(parsing: query[...]) }
        #expect(error?.code == code)
        #expect(error?.target == target)
    }

    @Test func `expands inside expands have a limit`() {
        let text = "$expand=" + String(repeating: "a($expand=", count: 100_000)
        let error = #expect(throws: ODataError.self) { try QueryOptions(parsing: text[...]) }
        #expect(error?.code == "TooComplex")
    }
}
