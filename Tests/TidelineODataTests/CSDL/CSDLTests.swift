// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct CSDLTests {
    /// Orders with lines: every facet that a document can carry, both ends of a relationship, a view.
    static let model: EntityModel = {
        let orders = EntityType(
            names: Names(wire: "Order"),
            properties: [
                Property(names: Names(wire: "Id"), type: .int32, isNullable: false, generation: .onInsert),
                Property(names: Names(wire: "Code"), type: .string, isNullable: false, maxLength: 20),
                Property(
                    names: Names(wire: "Total"),
                    type: .decimal,
                    precision: 19,
                    scale: 4,
                    defaultValue: .decimal(EdmDecimal(coefficient: 15, scale: 1))
                ),
                Property(names: Names(wire: "Rate"), type: .decimal),
                Property(names: Names(wire: "Placed"), type: .dateTimeOffset, precision: 3),
                Property(names: Names(wire: "Stamp"), type: .guid, generation: .always),
            ],
            key: [0],
            uniqueKeys: [[1]],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Lines"),
                    targetSet: "Lines",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 0)],
                    onDelete: .cascade,
                    partner: "Order"
                )
            ]
        )
        let lines = EntityType(
            names: Names(wire: "Line"),
            properties: [
                Property(names: Names(wire: "OrderId"), type: .int32, isNullable: false),
                Property(names: Names(wire: "Number"), type: .int16, isNullable: false, defaultValue: .integer(1)),
                Property(names: Names(wire: "Note"), type: .string, defaultValue: .string("<&\">\n")),
            ],
            key: [0, 1],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Order"),
                    targetSet: "Orders",
                    isCollection: false,
                    isNullable: false,
                    isDependent: true,
                    constraints: [.init(source: 0, target: 0)],
                    onDelete: .cascade,
                    partner: "Lines"
                )
            ]
        )
        let totals = EntityType(
            names: Names(wire: "Total"),
            properties: [Property(names: Names(wire: "Day"), type: .date, isNullable: false)],
            key: [0]
        )
        return EntityModel(
            namespace: "Shop.Model",
            container: "Shop",
            sets: [
                EntitySet(names: Names(wire: "Orders"), type: orders),
                EntitySet(names: Names(wire: "Lines"), type: lines),
                EntitySet(names: Names(wire: "Totals"), type: totals, isReadOnly: true),
            ]
        )
    }()

    @Test func `a model is read back from its XML as it was`() throws {
        #expect(try CSDLXML.read(CSDLXML.write(Self.model)) == Self.model)
    }

    @Test func `a model is read back from its JSON as it was`() throws {
        #expect(try CSDLJSON.read(CSDLJSON.write(Self.model)) == Self.model)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"$EntityContainer":"A.B"}"#, #"{"$EntityContainer":1}"#])
    func `JSON that describes no model is refused`(text: String) {
        #expect(throws: ODataError.self) { try CSDLJSON.read(Array(text.utf8)) }
    }

    @Test func `XML says keys, facets, references and read-only sets`() {
        let text = String(decoding: CSDLXML.write(Self.model), as: UTF8.self)
        for line in [
            #"<Property Name="Id" Type="Edm.Int32" Nullable="false">"#,
            #"<Annotation Term="Core.Computed"/>"#,
            #"<Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="20"/>"#,
            #"<Property Name="Total" Type="Edm.Decimal" Precision="19" Scale="4" DefaultValue="1.5"/>"#,
            #"<Property Name="Rate" Type="Edm.Decimal" Scale="variable"/>"#,
            #"<Property Name="Note" Type="Edm.String" DefaultValue="&lt;&amp;&quot;&gt;&#10;"/>"#,
            #"<NavigationProperty Name="Lines" Type="Collection(Shop.Model.Line)" Partner="Order">"#,
            #"<OnDelete Action="Cascade"/>"#,
            #"<ReferentialConstraint Property="OrderId" ReferencedProperty="Id"/>"#,
            #"<NavigationPropertyBinding Path="Order" Target="Orders"/>"#,
            #"<PropertyValue Property="Updatable" Bool="false"/>"#,
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test func `JSON leaves out the type of strings and says nullability only where it is true`() {
        let text = String(decoding: CSDLJSON.write(Self.model), as: UTF8.self)
        for part in [
            #""$EntityContainer":"Shop.Model.Shop""#,
            #""Id":{"$Type":"Edm.Int32","@Core.Computed":true}"#,
            #""Code":{"$MaxLength":20}"#,
            #""Total":{"$Type":"Edm.Decimal","$Nullable":true,"$Precision":19,"$Scale":4,"$DefaultValue":1.5}"#,
            #""Rate":{"$Type":"Edm.Decimal","$Nullable":true}"#,
            #""$ReferentialConstraint":{"OrderId":"Id"}"#,
            #""Lines":{"$Kind":"NavigationProperty","$Type":"Shop.Model.Line","$Collection":true,"$Partner":"Order","$OnDelete":"Cascade"}"#,
            #""@Capabilities.InsertRestrictions":{"Insertable":false}"#,
            #""Totals":{"$Collection":true,"$Type":"Shop.Model.Total","@Capabilities.TopSupported":true"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(arguments: [
        "", "<", "<a>", "<Edmx/>", "<!DOCTYPE a [<!ENTITY b \"c\">]><Edmx/>", "<Edmx><a></Edmx>", "<Edmx a='1' a='2'/>",
        "<Edmx a='&b;'/>", "<x:Edmx/>", "<Edmx/><Edmx/>", String(repeating: "<a>", count: 1000),
    ])
    func `a document that is not well formed, or no metadata, is refused`(text: String) {
        #expect {
            try CSDLXML.read(Array(text.utf8))
        } throws: {
            ($0 as? ODataError)?.code == "InvalidMetadata"
        }
    }

    @Test func `a document cut anywhere is refused, not misread`() {
        let document = CSDLXML.write(Self.model)
        for length in stride(from: 0, to: document.count - 1, by: 7) {
            #expect(throws: ODataError.self) { try CSDLXML.read(Array(document[..<length])) }
        }
    }
}
