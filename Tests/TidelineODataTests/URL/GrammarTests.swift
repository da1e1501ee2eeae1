// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

/// Cases of our own for every part of the grammar, over a small shop.
struct GrammarTests {
    static let names: NameTable = {
        var table = NameTable([
            "Orders": .entitySet, "Clients": .entitySet, "Shop": .singleton, "Reset": .actionImport,
            "Lines": .entityCollectionNavigation, "Client": [.entityNavigation, .entityType],
            "Total": .primitiveProperty,
            "Id": .primitiveProperty, "Address": [.complexProperty, .complexType], "Swiss": .complexType,
            "Street": .primitiveProperty, "Tags": .primitiveCollection, "Addresses": .complexCollection,
            "Photo": .streamProperty, "Vip": .entityType, "Best": .entityFunction, "Near": .entityCollectionFunction,
            "Sum": .primitiveFunction, "Ship": .action, "Today": .entityCollectionFunctionImport,
            "Rate": .primitiveFunctionImport,
        ])
        table.customOptions = ["x-trace"]
        return table
    }()

    @Test(
        .covers("OD-1.4.9"),
        arguments: [
            "", "Orders", "/Orders", "Orders(1)", "Orders(Id=1)", "Orders/1", "Orders/1/Lines/2",
            "Orders(1)/Client/Vip",
            "Orders(1)/Lines/$count", "Orders(1)/Lines(2)/$ref", "Orders/N.Near(x=1)(5)",
            "Orders/Near(x=@p)/$count?@p=1",
            "Orders/N.Vip(7)/Total", "Orders(1)/Total/$value", "Orders(1)/Photo", "Orders(1)/$value",
            "Orders(1)/Tags/0",
            "Clients(1)/Addresses/N.Swiss/-1", "Clients(1)/Address/Swiss/Street/$value",
            "Orders/$filter(Total gt 1)/$count",
            "Orders/$filter(Client/Total gt 1)(3)/Lines", "Orders/$filter(@p)/$each/N.Ship?@p=Total%20lt%202",
            "Shop/Tags",
            "Orders(1)/Ship", "Reset", "Today", "Today()", "Today(d=2026-11-21)/$count", "Rate()/$value", "$all",
            "$all/N.Vip", "$crossjoin(Orders,Clients)?$filter=true", "$entity?$id=Orders(1)",
            "$entity/N.Vip?$id=Orders(1)&$select=Total", "$batch", "$metadata?$format=xml", "$1/Lines", "Orders/$query",
            "$metadata#Orders(Total,Lines+(Id))/$entity", "Orders?x-trace=1",
        ]
    )
    func `a URL of the shop is read`(text: String) throws {
        let target = try RequestTarget(parsing: text, names: Self.names)
        #expect(try RequestTarget(parsing: target.text, names: Self.names) == target)
    }

    @Test(
        .covers("OD-1.4.9"),
        arguments: [
            ("Nope", 4), ("N.Ship", 1), ("Orders//Total", 7), ("Orders(1)/Nope", 14), ("Orders(1)(2)", 9),
            ("Orders(1)/Address/$value", 18), ("Orders(1)/Photo/$value", 16), ("Orders/$value", 7),
            ("Orders(Id=x)", 10),
            ("Orders/$count/x", 14), ("$entity", 7), ("$entity?$id=1&$top=1", 14), ("Orders?$filter=", 15),
            ("Orders?$filter=%20true", 15), ("Orders?$top=%2D1", 12), ("Orders?trace=1", 14), ("Orders?$nope=1", 7),
            ("Orders?$filter=Total%20gt", 25), ("Orders#x", 6), ("Orders('%zz')", 8), ("Orders(1)/Vip/Vip", 17),
        ]
    )
    func `what leads nowhere is refused where it stands`(text: String, position: Int) {
        let error = #expect(throws: ODataError.self) { try RequestTarget(parsing: text, names: Self.names) }
        #expect(error?.position == position, "\(text): \(error?.message ?? "")")
    }

    @Test func `without a table of names what a name is stays open`() throws {
        #expect(
            try ResourcePath(parsing: "A/B(x=1)").segments.last
                == .name("B", key: .named([.init(name: "x", value: .integer(1))]))
        )
        #expect(
            try ResourcePath(parsing: "A/B(x=null)").segments.last
                == .function("B", [PathArgument(name: "x", value: .literal(.null))])
        )
        #expect(try ResourcePath(parsing: "A/N.B").segments.last == .cast("N.B"))
        #expect(
            try ResourcePath(parsing: "A/N.B(1)").segments.suffix(2) == [.cast("N.B"), .key(.positional(.integer(1)))]
        )
        #expect(try ResourcePath(parsing: "A/42").segments.last == .literal("42"))
        #expect(try ResourcePath(parsing: "A()").segments == [.function("A", [])])
    }

    @Test func `a table of names gives each name its meaning`() throws {
        func last(_ text: String) throws -> ResourcePath.Segment? {
            try ResourcePath(parsing: text[...], names: Self.names).segments.last
        }
        #expect(try last("Orders/Vip") == .cast("Vip"))
        #expect(try last("Orders(1)/N.Ship") == .action("N.Ship"))
        #expect(try last("Orders/Near") == .function("Near", []))
        #expect(
            try last("Orders/Near(x=1)") == .function("Near", [PathArgument(name: "x", value: .literal(.integer(1)))])
        )
        #expect(try last("Orders/AB12") == .literal("AB12"))
    }

    @Test func `the root of an absolute URL ends where the model begins`() throws {
        let url = try RequestURL(parsing: "https://[::1]:8080/odata/shop/Orders(1)?$select=Total", names: Self.names)
        #expect(url.root == "https://[::1]:8080/odata/shop/")
        #expect(url.target?.text == "Orders(1)?$select=Total")
        #expect(try RequestURL(parsing: "http://h/odata/", names: Self.names).target == nil)
        let error = #expect(throws: ODataError.self) { try RequestURL(parsing: "ftp://h/", names: Self.names) }
        #expect(error?.position == 3)
    }

    @Test func `the body of a query adds its options and aliases`() throws {
        let target = try RequestTarget(
            parsing: "Orders(@k)/Lines/$query?$top=1",
            body: "@k=7&$filter=Total%20gt%201"
        )
        #expect(target.path.segments.first == .name("Orders", key: .positional(.integer(7))))
        #expect(target.options.top == 1)
        #expect(target.options.filter != nil)
        let error = #expect(throws: ODataError.self) {
            try RequestTarget(parsing: "Orders/$query?$top=1", body: "$top=2")
        }
        #expect(error?.code == "InvalidQueryOption")
    }
}
