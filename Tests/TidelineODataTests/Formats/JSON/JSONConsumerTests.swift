// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

/// What the JSON format asks of a consumer: OData JSON Format 4.01, section 24.
struct JSONConsumerTests {
    private let orders = RowShape(Samples.orders, columns: [0, 2, 3])

    private func rows(_ text: String, _ shape: RowShape) throws -> [String] {
        let sink = Transcript()
        _ = try JSONEntityReader(shape: shape).readPage(Array(text.utf8), into: sink)
        return sink.rows
    }

    private func value(_ json: String, _ column: RowShape.Column) throws -> String {
        let shape = RowShape(set: "S", key: [], columns: [column])
        let text = try rows(#"{"value":[{"\#(column.name)":\#(json)}]}"#, shape)[0]
        return String(text.dropFirst("row ".count).dropLast(" end".count))
    }

    // MARK: Data types

    /// The values of section 7.1, as numbers and, where `IEEE754Compatible` makes strings of them, as strings.
    @Test(
        .covers("OD-1.8.3", "OD-1.8.7", "OD-1.8.8", "OD-1.7.19"),
        arguments: [
            (.binary, #""T0RhdGE""#, "[79, 68, 97, 116, 97]"), (.binary, #""T0RhdGE=""#, "[79, 68, 97, 116, 97]"),
            (.binary, #""-_8=""#, "[251, 255]"),
            (.boolean, "false", "false"), (.boolean, "true", "true"), (.byte, "255", "255"), (.sbyte, "-128", "-128"),
            (.int16, "-32768", "-32768"), (.int32, "2147483647", "2147483647"),
            (.int64, "9223372036854775807", "9223372036854775807"),
            (.int64, #""-9223372036854775808""#, "-9223372036854775808"),
            (.date, #""2012-12-03""#, "'2012-12-03'"),
            (.dateTimeOffset, #""2012-12-03T07:16:23Z""#, "'2012-12-03T07:16:23Z'"),
            (.dateTimeOffset, #""2012-12-03T09:16:23.5+02:00""#, "'2012-12-03T07:16:23.5Z'"),
            (.decimal, "34.95", "'34.95'"), (.decimal, #""34.95""#, "'34.95'"), (.decimal, "3.495E1", "'34.95'"),
            (.decimal, #""3495e-2""#, "'34.95'"),
            (.double, "3.1415926535897931", "d3.141592653589793"), (.double, "1E300", "d1e+300"),
            (.double, #""INF""#, "dinf"), (.double, #""-INF""#, "d-inf"), (.double, #""NaN""#, "dnan"),
            (.single, "0.5", "d0.5"), (.single, #""INF""#, "dinf"), (.single, #""-INF""#, "d-inf"),
            (.single, #""NaN""#, "dnan"),
            (.duration, #""P12DT23H59M59.5S""#, "'P12DT23H59M59.5S'"),
            (.guid, #""21EC2020-3AEA-1069-A2DD-08002B30309D""#, "'21ec2020-3aea-1069-a2dd-08002b30309d'"),
            (.string, #""Say \"Hello\",\nthen go\u0041""#, "'Say \"Hello\",\nthen goA'"),
            (.timeOfDay, #""07:59:59.999""#, "'07:59:59.999'"),
        ] as [(PrimitiveType, String, String)]
    )
    func `each primitive type is read in each of its forms`(type: PrimitiveType, json: String, expected: String) throws
    {
        #expect(try value(json, .init(name: "p", type: type)) == expected)
        #expect(try value("null", .init(name: "p", type: type)) == "null")
    }

    @Test(
        .covers("OD-1.8.3"),
        arguments: [
            (.geographyPoint, #"{"type":"Point","coordinates":[142.1,64.1]}"#, "SRID=4326;Point(142.1 64.1)"),
            (
                .geographyLineString, #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
                "SRID=4326;LineString(1 2,3 4)"
            ),
            (
                .geographyPolygon, #"{"coordinates":[[[0,0],[1,0],[1,1],[0,0]]],"type":"Polygon"}"#,
                "SRID=4326;Polygon((0 0,1 0,1 1,0 0))"
            ),
            (
                .geometryPoint,
                #"{"type":"Point","coordinates":[5,6],"crs":{"type":"name","properties":{"name":"EPSG:3857"}}}"#,
                "SRID=3857;Point(5 6)"
            ),
            (
                .geometryMultiPoint, #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
                "SRID=0;MultiPoint((1 2),(3 4))"
            ),
            (
                .geography, #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}"#,
                "SRID=4326;GeometryCollection(Point(1 2))"
            ),
            (
                .geographyPoint, #"{"type":"Point","coordinates":[1,2],"bbox":[1,2,1,2],"@a.b":1}"#,
                "SRID=4326;Point(1 2)"
            ),
        ] as [(PrimitiveType, String, String)]
    )
    func `shapes are read from GeoJSON`(type: PrimitiveType, json: String, expected: String) throws {
        let property = Property(names: Names(wire: "Place"), type: type)
        #expect(try value(json, RowShape.Column(property)) == "'\(expected)'")
        #expect(throws: ODataError.self) { try value(#"{"type":"Nothing"}"#, RowShape.Column(property)) }
    }

    @Test(.covers("OD-1.8.3"))
    func `members, complex values and collections are read`() throws {
        let color = EnumerationType(
            names: Names(wire: "Color"),
            isFlags: true,
            members: [.init("Red", 1), .init("Green", 2), .init("Blue", 4)]
        )
        var column = RowShape.Column(name: "c", type: .int32)
        column.form = .enumeration(color)
        #expect(try value(#""Green""#, column) == "2")
        #expect(try value(#""Red,Blue""#, column) == "5")
        #expect(try value(#""4""#, column) == "4")
        #expect(throws: ODataError.self) { try value(#""Pink""#, column) }
        var address = RowShape.Column(name: "a", type: .string)
        address.form = .json
        #expect(
            try value(##"{"@type":"#Shop.Address","Street@x.y":1,"Street":"Elm","City":{"Name":"Ulm"}}"##, address)
                == ##"'{"@type":"#Shop.Address","Street@x.y":1,"Street":"Elm","City":{"Name":"Ulm"}}'"##
        )
        var tags = RowShape.Column(name: "t", type: .string)
        tags.form = .jsonArray
        #expect(try value(#"["a", "b"]"#, tags) == #"'["a", "b"]'"#)
        #expect(try value("[]", tags) == "'[]'")
    }

    // MARK: Control information

    private static let minimal = #"{"OrderId":1,"Note":"n","Total":1.5}"#

    /// The forms of section 4.6, in both versions; each must read as the plain row.
    @Test(
        .covers("OD-1.8.1", "OD-1.8.2", "OD-1.8.4", "OD-1.8.5", "OD-1.8.7", "OD-1.8.8", "OD-1.7.6", "OD-1.7.19"),
        arguments: [
            minimal,
            // Metadata full, 4.0 and 4.01.
            ##"{"@odata.type":"#Shop.Order","@odata.id":"Orders(1)","@odata.etag":"abc","@odata.editLink":"Orders(1)","##
                + ##""OrderId@odata.type":"#Int32","OrderId":1,"Note":"n","Total@odata.type":"#Decimal","Total":1.5,"##
                + ##""Client@odata.navigationLink":"Orders(1)/Client","Client@odata.associationLink":"Orders(1)/Client/$ref","##
                + ##""#Shop.Cancel":{"title":"Cancel","target":"Orders(1)/Shop.Cancel"}}"##,
            ##"{"@type":"#Shop.Order","@id":"Orders(1)","@etag":"W/\"old\"","@editLink":"Orders(1)","@readLink":"Orders(1)","##
                + ##""OrderId@type":"Int32","OrderId":1,"Note":"n","Total@type":"#Decimal","Total":1.5,"##
                + ##""#Shop.Cancel":null,"Photo@mediaReadLink":"Orders(1)/Photo","Photo@mediaEditLink":"Orders(1)/Photo","##
                + ##""Photo@mediaEtag":"W/\"1\"","Photo@mediaContentType":"image/png","Photo":"QQ=="}"##,
            // A type, properties and navigation properties that the metadata does not name.
            ##"{"@odata.type":"#Shop.SpecialOrder","OrderId":1,"New":{"Deep":[{"x":null}]},"Note":"n","Total":1.5,"##
                + ##""Friends":[{"@id":"People(1)"}],"Friends@odata.count":1,"Friends@odata.nextLink":"x","Only":{"Id":2}}"##,
            ##"{"@type":"http://other.example/$metadata#Other.Thing","@context":"http://other.example/$metadata#Things/$entity","##
                + ##""OrderId":1,"Note":"n","Total":1.5}"##,
            // Annotations of any term, of the entity and of properties, before and after.
            ##"{"@Core.Description":"d","@My.Term#Tablet":{"a":[1]},"OrderId@Some.Term":1,"OrderId":1,"Note":"n","##
                + ##""Note@Org.OData.Core.V1.Description":"d","Total@Measures.Unit":"EUR","Total":1.5,"@My.Last":null}"##,
            // Members in another order, and with escapes in their names.
            ##"{"Total":1.5,"\u004eote":"n","@odata.editLink":"x","OrderId":1}"##,
            // An own name of 4.01 for what 4.0 prefixes, and what neither knows.
            ##"{"@odata.unheard":1,"@unheard":{},"OrderId":1,"Note":"n","Note@unheard":[],"Total":1.5}"##,
        ]
    )
    func `control information and annotations of any kind do not change the row`(entity: String) throws {
        for context in ["", ##""@odata.context":"$metadata#Orders","##, ##""@context":"$metadata#Orders(OrderId)","##] {
            #expect(try rows("{\(context)\"value\":[\(entity)]}", orders) == ["row 1 'n' '1.5' end"], "\(context)")
        }
        let sink = Transcript()
        try JSONEntityReader(shape: orders).readEntity(Array(entity.utf8), into: sink)
        #expect(sink.rows == ["row 1 'n' '1.5' end"])
    }

    @Test(.covers("OD-1.8.5", "OD-1.8.1"))
    func `annotations of the collection stand anywhere around the value`() throws {
        let text =
            ##"{"@odata.context":"$metadata#Orders","@My.Term":{"deep":[{}]},"@odata.metadataEtag":"x","value":[\##(Self.minimal)],"##
            + ##""value@Other.Term":1,"@odata.count":1,"@odata.nextLink":"n","@Last.Term":"x","anything":[]}"##
        let sink = Transcript()
        let page = try JSONEntityReader(shape: orders).readPage(Array(text.utf8), into: sink)
        #expect(sink.rows == ["row 1 'n' '1.5' end"])
        #expect(page.nextLink == "n" && page.count == 1)
    }

    // MARK: Deltas

    /// The payloads of section 15, with the forms of 4.0 and of 4.01 side by side.
    @Test(.covers("OD-1.8.7", "OD-1.8.8", "OD-1.7.12", "OD-1.7.19"))
    func `a delta is read in the form of each version`() throws {
        let shape = RowShape(Samples.orders, columns: [0, 2])
        let old =
            ##"{"@odata.context":"http://host/service/$metadata#Orders/$delta","@odata.count":5,"value":[{"##
            + ##""@odata.id":"Orders(1)","OrderId":1,"Note":"new"},{"##
            + ##""@odata.context":"http://host/service/$metadata#Orders/$deletedLink","source":"Orders(1)","##
            + ##""relationship":"Lines","target":"Lines(OrderId=1,Code='a')"},{"##
            + ##""@odata.context":"#Orders/$link","source":"Orders(2)","relationship":"Lines","target":"Lines(OrderId=2,Code='b')"},{"##
            + ##""@odata.context":"#Orders/$deletedEntity","id":"Orders(3)","reason":"deleted"},{"##
            + ##""@odata.context":"http://host/service/$metadata#Orders/$deletedEntity","reason":"changed","id":"http://host/service/Orders(4)"}],"##
            + ##""@odata.deltaLink":"Orders?$deltatoken=8015"}"##
        let expected = [
            "row 1 'new' end", "removed [TidelineModel.Value.integer(3)] deleted",
            "removed [TidelineModel.Value.integer(4)] changed",
        ]
        #expect(try rows(old, shape) == expected)
        let new =
            ##"{"@context":"http://host/service/$metadata#Orders/$delta","@count":5,"value":[{"##
            + ##""@id":"Orders(1)","OrderId":1,"Note":"new","Lines@delta":[{"@removed":{"reason":"changed"},"@id":"x"}],"##
            + ##""Client":{"@id":"Clients(1)"}},{"##
            + ##""@context":"#Orders/$deletedLink","source":"Orders(1)","relationship":"Client"},{"##
            + ##""@context":"#Orders/$link","source":"Orders(2)","relationship":"Client","target":"Clients(1)"},{"##
            + ##""@removed":{"reason":"deleted","@My.Term":1},"@id":"Orders(3)"},{"##
            + ##""@context":"#Orders/$deletedEntity","@removed":{"reason":"changed"},"OrderId":4,"Note":"last"}],"##
            + ##""@deltaLink":"Orders?$deltatoken=8015"}"##
        #expect(try rows(new, shape) == expected)
    }
}
