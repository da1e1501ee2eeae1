// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Things with every kind of property that a change can meet.
///
///     Things(ThingId, Kind → Color, Street, City → Address, Data → JSON, Tags → JSON, Extra → dynamic, Type, Gears, …)
private func things() throws -> Shop {
    try Shop(
        open: true,
        adding: """
            CREATE TABLE Things (ThingId INT NOT NULL PRIMARY KEY, Kind INTEGER, Street TEXT, City TEXT, Detail TEXT,
                Tags TEXT, Extra TEXT, Type TEXT NOT NULL DEFAULT 'thing', Gears INTEGER, Born TEXT, Made TEXT, Photo BLOB,
                PhotoType TEXT);
            INSERT INTO Things (ThingId, Kind, Street, City, Detail, Tags, Extra, Type, Born, Made)
                VALUES (1, 1, 'Elm', 'Bern', '{"A":1,"B":{"C":2}}', '["x"]', '{"Old":1}', 'thing', 'b', 'm');
            """,
        shaping: { sets in
            guard let place = sets.firstIndex(where: { $0.names.wire == "Things" }) else { return }
            var type = sets[place].type
            type.complexProperties = [ComplexProperty(names: Names(wire: "Address"), type: "Address")]
            for index in type.properties.indices {
                switch type.properties[index].names.wire {
                case "Kind": type.properties[index].enumeration = "Color"
                case "Street", "City": type.properties[index].container = 0
                case "Detail": type.properties[index].structure = .complex("Detail")
                case "Tags": type.properties[index].structure = .collection(of: .primitive(.string))
                case "Extra": type.properties[index].structure = .dynamic
                case "Type": type.discriminator = index
                case "Gears": type.properties[index].declaringType = "Bike"
                case "Born": type.properties[index].isImmutable = true
                case "Made": type.properties[index].isReadOnly = true
                case "Photo":
                    type.properties[index].stream = MediaStream(
                        contentTypeProperty: type.propertyIndex(wire: "PhotoType")
                    )
                default: break
                }
            }
            type.discriminatorValue = .string("thing")
            type.derivedTypes = [DerivedType(names: Names(wire: "Bike"), discriminatorValue: .string("bike"))]
            sets[place].type = type
        },
        finishing: { model in
            let kind = model[set: "Things"]?.type.properties.first { $0.names.wire == "Kind" }
            model.enumerations = [
                EnumerationType(
                    names: Names(wire: "Color"),
                    underlyingType: kind?.type ?? .int64,
                    isFlags: true,
                    members: [.init("Red", 1), .init("Blue", 2)]
                )
            ]
            let inner = ComplexType(
                names: Names(wire: "Inner"),
                properties: [Property(names: Names(wire: "C"), type: .int32)]
            )
            var b = Property(names: Names(wire: "B"), type: .string)
            b.structure = .complex("Inner")
            model.complexTypes = [
                ComplexType(
                    names: Names(wire: "Address"),
                    properties: [
                        Property(names: Names(wire: "Street"), type: .string),
                        Property(names: Names(wire: "City"), type: .string),
                    ]
                ), inner,
                ComplexType(
                    names: Names(wire: "Detail"),
                    properties: [Property(names: Names(wire: "A"), type: .int32), b]
                ),
            ]
            model.complexTypes += ["Long", "Wide"].map { name in
                ComplexType(
                    names: Names(wire: name),
                    baseType: "Detail",
                    properties: [Property(names: Names(wire: "\(name)er"), type: .string)]
                )
            }
        }
    )
}

struct FeatureWriteTests {
    private func column(_ shop: Shop, _ name: String, _ id: Int = 1) throws -> String? {
        try shop.value("SELECT \(name) FROM Things WHERE ThingId = \(id)")
    }

    @Test(.covers("OD-1.1.23", "OD-1.8.27"))
    func `enumerations are written by their members`() throws {
        let shop = try things()
        #expect(shop.send(.patch, "Things(1)", #"{"Kind":"Red,Blue"}"#).status == 204)
        #expect(try column(shop, "Kind") == "3")
        #expect(shop.send(.put, "Things(1)/Kind", #"{"value":"Blue"}"#).status == 204)
        #expect(try column(shop, "Kind") == "2")
        #expect(shop.send(.put, "Things(1)/Kind/$value", "Red", ["Content-Type": "text/plain"]).status == 204)
        #expect(try column(shop, "Kind") == "1")
        #expect(shop.send(.patch, "Things(1)", #"{"Kind":"Green"}"#).status == 400)
    }

    @Test(.covers("OD-1.1.30", "OD-1.1.31"))
    func `complex values over columns are merged by PATCH and replaced by PUT`() throws {
        let shop = try things()
        #expect(shop.send(.patch, "Things(1)", #"{"Address":{"City":"Basel"}}"#).status == 204)
        #expect(try column(shop, "Street || City") == "ElmBasel")
        #expect(shop.send(.patch, "Things(1)/Address", #"{"Street":"Oak"}"#).status == 204)
        #expect(try column(shop, "Street || City") == "OakBasel")
        #expect(shop.send(.put, "Things(1)/Address", #"{"Street":"Fir"}"#).status == 204)
        #expect(try column(shop, "Street || coalesce(City, '-')") == "Fir-")
        #expect(shop.send(.put, "Things(1)/Address/City", #"{"value":"Ulm"}"#).status == 204)
        #expect(try column(shop, "City") == "Ulm")
        #expect(shop.send(.delete, "Things(1)/Address").status == 204)
        #expect(try column(shop, "coalesce(Street, '-') || coalesce(City, '-')") == "--")
        #expect(shop.send(.patch, "Things(1)", #"{"Address":{"Nope":1}}"#).status == 400)
    }

    @Test(.covers("OD-1.1.30"))
    func `complex values in JSON are merged by PATCH and replaced by PUT`() throws {
        let shop = try things()
        #expect(shop.send(.patch, "Things(1)", #"{"Detail":{"A":5}}"#).status == 204)
        #expect(try column(shop, "Detail") == #"{"A":5,"B":{"C":2}}"#)
        #expect(shop.send(.patch, "Things(1)/Detail", #"{"B":{"C":3}}"#).status == 204)
        #expect(try column(shop, "Detail") == #"{"A":5,"B":{"C":3}}"#)
        #expect(shop.send(.put, "Things(1)/Detail", #"{"A":1}"#).status == 204)
        #expect(try column(shop, "Detail") == #"{"A":1}"#)
        #expect(shop.send(.patch, "Things(1)", #"{"Detail":{"A":"x"}}"#).status == 400)
        #expect(shop.send(.delete, "Things(1)/Detail").status == 204)
        #expect(try column(shop, "coalesce(Detail, '-')") == "-")
    }

    @Test func `a complex value without members is an object all the same`() throws {
        let shop = try things()
        try shop.sql("UPDATE Things SET Detail = '{}'")
        let context = ##""@context":"/odata/shop/$metadata#Things(1)/Detail""##
        #expect(shop.get("Things(1)/Detail").text == "{\(context)}")
        #expect(shop.get("Things(1)/Detail", ["Accept": "application/json;metadata=none"]).text == "{}")
        #expect(shop.send(.patch, "Things(1)/Detail", #"{"A":5}"#).status == 204)
        #expect(shop.get("Things(1)/Detail").text == "{\(context),\"A\":5}")
    }

    @Test func `a complex value that becomes one of another type keeps what both types have`() throws {
        let shop = try things()
        #expect(shop.send(.patch, "Things(1)", ##"{"Detail":{"@type":"#Shop.Long","Longer":"x"}}"##).status == 204)
        #expect(try column(shop, "Detail") == ##"{"A":1,"B":{"C":2},"@type":"#Shop.Long","Longer":"x"}"##)
        #expect(shop.send(.patch, "Things(1)", ##"{"Detail":{"@type":"#Shop.Long","A":5}}"##).status == 204)
        #expect(try column(shop, "Detail") == ##"{"A":5,"B":{"C":2},"@type":"#Shop.Long","Longer":"x"}"##)
        #expect(shop.send(.patch, "Things(1)", ##"{"Detail":{"@type":"#Shop.Wide","B":null}}"##).status == 204)
        #expect(try column(shop, "Detail") == ##"{"A":5,"B":null,"@type":"#Shop.Wide"}"##)
        #expect(shop.send(.patch, "Things(1)", ##"{"Detail":{"@type":"#Shop.Wide","Longer":"y"}}"##).status == 400)
    }

    @Test(.covers("OD-1.4.23", "OD-1.4.24"))
    func `collections of values are replaced, extended and emptied`() throws {
        let shop = try things()
        #expect(shop.send(.put, "Things(1)/Tags", #"{"value":["a","b"]}"#).status == 204)
        #expect(shop.send(.post, "Things(1)/Tags", #"{"value":"c"}"#).status == 204)
        #expect(try column(shop, "Tags") == #"["a","b","c"]"#)
        #expect(shop.send(.patch, "Things(1)/Tags", #"{"value":[]}"#).status == 405)
        #expect(shop.send(.delete, "Things(1)/Tags").status == 204)
        #expect(try column(shop, "Tags") == "[]")
        #expect(shop.send(.patch, "Things(1)", #"{"Tags":["z"]}"#).status == 204)
        #expect(shop.send(.patch, "Things(1)", #"{"Tags":[5]}"#).status == 400)
        #expect(try column(shop, "Tags") == #"["z"]"#)
    }

    @Test
    func `dynamic properties are kept, merged and removed`() throws {
        let shop = try things()
        #expect(shop.send(.patch, "Things(1)", #"{"New":{"x":[1]},"Old":null}"#).status == 204)
        #expect(try column(shop, "Extra") == #"{"New":{"x":[1]}}"#)
        #expect(shop.send(.post, "Things", #"{"ThingId":2,"Free":true}"#).status == 201)
        #expect(try column(shop, "Extra", 2) == #"{"Free":true}"#)
        // Other types are not open.
        #expect(shop.send(.patch, "Notes('a')", #"{"Free":true}"#).status == 400)
    }

    @Test(.covers("OD-1.4.25"))
    func `the type that a body or a URL names is the type of the row`() throws {
        let shop = try things()
        #expect(shop.send(.post, "Things", ##"{"@odata.type":"#Shop.Bike","ThingId":2,"Gears":7}"##).status == 201)
        #expect(try column(shop, "Type || Gears", 2) == "bike7")
        #expect(shop.send(.post, "Things/Shop.Bike", #"{"ThingId":3,"Gears":3}"#).status == 201)
        #expect(try column(shop, "Type || Gears", 3) == "bike3")
        #expect(shop.send(.post, "Things", #"{"ThingId":4,"Gears":3}"#).status == 400)
        #expect(shop.send(.post, "Things", ##"{"@type":"#Shop.Car","ThingId":5}"##).status == 400)
        #expect(shop.send(.patch, "Things(1)", #"{"Gears":1}"#).status == 400)
        #expect(shop.send(.patch, "Things(2)", #"{"Gears":8}"#).status == 204)
        #expect(try column(shop, "Gears", 2) == "8")
        #expect(shop.send(.patch, "Things(2)", ##"{"@type":"#Shop.Thing"}"##).status == 204)
        #expect(try column(shop, "Type || coalesce(Gears, '-')", 2) == "thing-")
    }

    @Test(.covers("DA-07", "OD-1.1.10"))
    func `what cannot be written is ignored in a body and refused by itself`() throws {
        let shop = try things()
        #expect(shop.send(.patch, "Things(1)", #"{"Made":"x","Born":"x","Kind":"Red"}"#).status == 204)
        #expect(try column(shop, "Made || Born") == "mb")
        #expect(shop.send(.put, "Things(1)/Made", #"{"value":"x"}"#).status == 400)
        #expect(shop.send(.put, "Things(1)/Born", #"{"value":"x"}"#).status == 400)
        #expect(shop.send(.delete, "Things(1)/Born").status == 400)
        #expect(shop.send(.post, "Things", #"{"ThingId":2,"Born":"x","Made":"x"}"#).status == 201)
        #expect(try column(shop, "Born || coalesce(Made, '-')", 2) == "x-")
    }

    @Test
    func `a stream is put and deleted at its own URL`() throws {
        let shop = try things()
        #expect(shop.send(.put, "Things(1)/Photo", "PNG", ["Content-Type": "image/png"]).status == 204)
        #expect(try column(shop, "hex(Photo) || PhotoType") == "504E47image/png")
        #expect(shop.get("Things(1)/Photo").text == "PNG")
        #expect(shop.send(.delete, "Things(1)/Photo").status == 204)
        #expect(try column(shop, "coalesce(hex(Photo), '')") == "")
    }

    @Test(.covers("OD-1.1.33"))
    func `each entity of a part of a set is changed or deleted at once`() throws {
        let shop = try Shop(open: true)
        let changed = shop.send(.patch, "Orders/$filter(Total%20ge%20200)/$each", #"{"Title":"big"}"#)
        #expect(changed.status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE Title = 'big'") == "20,30")
        let told = shop.send(
            .patch,
            "Orders/$filter(Total%20ge%20200)/$each",
            #"{"Title":"huge"}"#,
            ["Prefer": "return=representation"]
        )
        #expect(told.status == 200)
        #expect(told.text.contains(#""OrderId":20,"Title":"huge""#) && told.text.contains(#""OrderId":30"#))
        #expect(shop.send(.delete, "Orders/$filter(Total%20ge%20200)/$each").status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders") == "10,40")
        let own = try Shop()
        #expect(own.send(.delete, "Clients/$each").status == 204)
        #expect(try own.value("SELECT group_concat(ClientId) FROM Clients") == "2")
    }

    @Test(arguments: [
        (HTTPRequest.Method.delete, "Orders/$each?$filter=Total gt 250", ""),
        (.patch, "Orders/$each?$filter=Total gt 250", #"{"Title":"x"}"#),
        (.patch, "Orders/$each?$top=1", #"{"Title":"x"}"#), (.delete, "Orders/$each?$search=ten", ""),
        (.delete, "Orders/$filter(Total gt 250)/$each?$skip=1", ""),
        (.patch, "Orders?$filter=Total gt 250", ##"{"@context":"#$delta","value":[{"OrderId":10,"Title":"x"}]}"##),
        (.post, "Orders?$filter=Total gt 250", #"{"OrderId":50}"#),
        (.patch, "Orders(10)?$orderby=Title", #"{"Title":"x"}"#),
        (.put, "Orders(10)?$count=true", #"{"Title":"x"}"#), (.delete, "Orders(10)?$filter=Total gt 250", ""),
        (.put, "Orders(10)/Title?$apply=identity", #"{"value":"x"}"#),
    ])
    func `an option that chooses among many is refused with a change, which would be of all`(
        method: HTTPRequest.Method,
        path: String,
        body: String
    ) throws {
        let shop = try Shop(open: true)
        let rows = "SELECT group_concat(OrderId || coalesce(Title, '')) FROM Orders"
        let before = try shop.value(rows)
        let reply = shop.send(method, path.replacing(" ", with: "%20"), body)
        #expect(reply.status == 400)
        let option = try #require(path.split(separator: "?").last?.split(separator: "=").first)
        #expect(reply.text.contains(#""target":"\#(option)""#), "\(reply.text)")
        #expect(reply.text.contains("\(option) does not go with a change"), "\(reply.text)")
        #expect(try shop.value(rows) == before)
    }

    @Test(.covers("OD-1.1.26", "OD-1.8.28"))
    func `conditions on versions hold for parts and links too`() throws {
        let shop = try Shop(open: true)
        let stale = ["If-Match": "W/\"AAAAAAAAAAAAAAAAAAAAAA\""]
        #expect(shop.send(.put, "Clients(1)/Name", #"{"value":"x"}"#, stale).status == 412)
        #expect(shop.send(.delete, "Clients(1)/Code", "", stale).status == 412)
        #expect(shop.send(.put, "Orders(10)/Client/$ref", #"{"@id":"Clients(3)"}"#, stale).status == 412)
        #expect(shop.send(.delete, "Orders(10)", "", stale).status == 412)
        let fresh = ["If-Match": shop.etag("Clients(1)")]
        #expect(shop.send(.put, "Clients(1)/Name", #"{"value":"x"}"#, fresh).status == 204)
        #expect(shop.get("Clients(1)", ["If-None-Match": shop.etag("Clients(1)")]).status == 304)
        let body = #"{"@etag":"*","Name":"y"}"#
        #expect(shop.send(.patch, "Clients(1)", body).status == 204)
        let old = #"{"@odata.etag":"W/\"AAAAAAAAAAAAAAAAAAAAAA\"","Name":"z"}"#
        #expect(shop.send(.patch, "Clients(1)", old).status == 412)
        #expect(shop.send(.patch, "Clients(1)", old, ["OData-Version": "4.0"]).status == 204)
    }

    @Test(.covers("OD-1.1.20", "OD-1.1.27", "OD-1.1.28", "OD-1.1.19"))
    func `a create says where the entity is, whatever it is posted to`() throws {
        let shop = try Shop(open: true)
        let made = shop.send(.post, "Clients(1)/Orders", #"{"OrderId":50}"#)
        #expect(made.status == 201 && made.fields[.location] == "/odata/shop/Orders(50)")
        let minimal = shop.send(.post, "Orders", #"{"OrderId":51}"#, ["Prefer": "return=minimal"])
        #expect(minimal.status == 204 && minimal.fields[.odataEntityId] == "/odata/shop/Orders(51)")
        let upsert = shop.send(.put, "Orders(52)", "{}", ["Prefer": "return=minimal"])
        #expect(upsert.status == 204 && upsert.fields[.odataEntityId] == "/odata/shop/Orders(52)")
        // What the URL says and what the body says must be the same.
        #expect(shop.send(.post, "Clients(1)/Orders", #"{"OrderId":53,"ClientId":3}"#).status == 400)
    }
}
