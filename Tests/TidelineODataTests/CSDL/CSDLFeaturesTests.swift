// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

/// What the metadata documents say of a model with every feature.
struct CSDLFeaturesTests {
    static let xml = String(decoding: CSDLXML.write(Library.model), as: UTF8.self)
    static let json = String(decoding: CSDLJSON.write(Library.model), as: UTF8.self)

    @Test(
        .covers("OD-1.1.8", "OD-1.1.13", "OD-1.2.8", "OD-1.3.2"),
        arguments: [
            #"<EntityType Name="Book" OpenType="true" HasStream="true">"#,
            #"<EntityType Name="PaperBook" BaseType="Library.Book">"#,
            #"<EntityType Name="Series" BaseType="Library.Book" Abstract="true"/>"#,
            #"<EntityType Name="Volume" BaseType="Library.Series"/>"#,
            #"<Property Name="Size" Type="Library.Extent" Nullable="false"/>"#,
            #"<Property Name="Inner" Type="Library.InnerExtent"/>"#,
            #"<Property Name="Colors" Type="Library.Color" DefaultValue="Red,Green"/>"#,
            #"<Property Name="State" Type="Library.State" Nullable="false" DefaultValue="OnShelf"/>"#,
            #"<Property Name="Place" Type="Library.Place"/>"#,
            #"<Property Name="History" Type="Collection(Library.Corner)" Nullable="false"/>"#,
            #"<Property Name="Palette" Type="Collection(Library.Color)" Nullable="false"/>"#,
            #"<Property Name="Tags" Type="Collection(Edm.String)" Nullable="true"/>"#,
            #"<Property Name="Cover" Type="Edm.Stream">"#,
            #"<Property Name="Found" Type="Edm.GeographyPoint" SRID="4326"/>"#,
            #"<Property Name="Bought" Type="Edm.DateTimeOffset" Precision="3"/>"#,
            #"<EnumType Name="Color" UnderlyingType="Edm.Byte" IsFlags="true">"#,
            #"<ComplexType Name="Corner" BaseType="Library.Place">"#,
            #"<NavigationProperty Name="Readers" Type="Collection(Library.Reader)" Partner="Books">"#,
            #"<NavigationProperty Name="Pages" Type="Collection(Library.Page)" ContainsTarget="true">"#,
            #"<Singleton Name="Librarian" Type="Library.Reader" Nullable="true">"#,
            #"<NavigationPropertyBinding Path="Readers" Target="Readers"/>"#,
        ]
    )
    func `XML says each feature of the model`(line: String) {
        #expect(Self.xml.contains(line))
    }

    @Test func `what is hidden or contained has no set, and no column of the bag or the content is a property`() {
        #expect(!Self.xml.contains(#"<EntitySet Name="Pages""#))
        #expect(!Self.xml.contains(#"Name="Rest""#))
        #expect(!Self.xml.contains(#"<Property Name="Content" "#))
    }

    @Test(
        .covers("OD-1.4.12", "OD-1.4.13"),
        arguments: [
            #"<Annotation Term="Core.ODataVersions" String="4.0 4.01"/>"#,
            #"<Annotation Term="Core.Description" String="As on the cover"/>"#,
            #"<Annotation Term="Core.Immutable"/>"#,
            #"<Annotation Term="Core.Permissions" EnumMember="Org.OData.Core.V1.Permission/Read"/>"#,
            #"<Annotation Term="Core.MediaType" Path="ContentType"/>"#,
            #"<Annotation Term="Core.MediaType" String="image/png"/>"#,
            #"<Annotation Term="Validation.Pattern" String="^[A-Z].*$"/>"#,
            #"<Annotation Term="Validation.Minimum" Int="1"/>"#,
            #"<Annotation Term="Validation.Maximum" Int="999"/>"#,
            #"<Annotation Term="Measures.Unit" String="mm"/>"#,
            #"<Annotation Term="Measures.ISOCurrency" String="EUR"/>"#,
            #"<PropertyValue Property="Alias" String="Title"/>"#,
            #"<Annotation Term="Capabilities.CrossJoinSupported" Bool="false"/>"#,
            #"<PropertyValue Property="Searchable" Bool="false"/>"#,
        ]
    )
    func `annotations say rules, units and what the service can do`(line: String) {
        #expect(Self.xml.contains(line))
    }

    @Test func `a version property is what the ETag is made of`() {
        let lines = Self.xml.split(separator: "\n").map { $0.drop { $0 == " " } }
        let place = lines.firstIndex { $0.hasPrefix(#"<Annotation Term="Core.OptimisticConcurrency">"#) }
        #expect(
            place.map { Array(lines[$0 + 1..<$0 + 3]) } == ["<Collection>", "<PropertyPath>Version</PropertyPath>"]
        )
    }

    @Test func `a capability that is there is annotated so`() {
        var capabilities = ServiceCapabilities()
        capabilities.searches = true
        capabilities.crossJoins = true
        capabilities.conformance = .advanced
        capabilities.transformations = ["aggregate", "groupby"]
        let text = String(decoding: CSDLXML.write(Library.model, capabilities: capabilities), as: UTF8.self)
        for line in [
            #"<Annotation Term="Capabilities.CrossJoinSupported" Bool="true"/>"#,
            #"<PropertyValue Property="Searchable" Bool="true"/>"#,
            #"EnumMember="Org.OData.Capabilities.V1.ConformanceLevelType/Advanced"/>"#,
            #"<Annotation Term="Aggregation.ApplySupportedDefaults">"#,
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test(
        .covers("OD-1.4.10", "OD-1.6.6"),
        arguments: [
            #""Book":{"$Kind":"EntityType","$OpenType":true,"$HasStream":true,"$Key":["Id"]"#,
            #""Volume":{"$Kind":"EntityType","$BaseType":"Library.Series"}"#,
            #""Colors":{"$Type":"Library.Color","$Nullable":true,"$DefaultValue":"Red,Green"}"#,
            #""History":{"$Type":"Library.Corner","$Collection":true}"#,
            #""Found":{"$Type":"Edm.GeographyPoint","$Nullable":true,"$SRID":"4326"}"#,
            #""Color":{"$Kind":"EnumType","$UnderlyingType":"Edm.Byte","$IsFlags":true,"Red":1,"Green":2"#,
            #""Librarian":{"$Type":"Library.Reader","$Nullable":true"#,
        ]
    )
    func `JSON says the same`(part: String) {
        #expect(Self.json.contains(part))
    }

    @Test func `both formats are read back as one model`() throws {
        let fromXML = try CSDLXML.readTolerantly(Array(Self.xml.utf8)).model
        let fromJSON = try CSDLJSON.readTolerantly(Array(Self.json.utf8)).model
        #expect(fromXML == fromJSON)
        let book = try #require(fromXML[set: "Books"]).type
        #expect(book.properties.first { $0.names.wire == "Size" }?.structure == .complex("Extent"))
        #expect(book.properties.first { $0.names.wire == "Price" }?.declaringType == "PaperBook")
        #expect(book.properties.first { $0.names.wire == "Title" }?.pattern == "^[A-Z].*$")
        #expect(book.derivedTypes.map(\.baseType) == [nil, nil, "Series"])
        #expect(book.mediaProperty != nil && book.dynamicProperty != nil)
        #expect(book.version == book.propertyIndex(wire: "Version"))
        #expect(fromXML.enumerations == Library.model.enumerations)
        #expect(fromXML.singletons.map(\.set) == ["Readers"])
    }

    @Test(.enabled(if: SharedData.folder != nil, "The test data is not at hand (TIDELINE_SHARED)."))
    func `a foreign document is read with warnings`() throws {
        let document = try SharedData.bytes("csdl-schemas/examples/csdl-16.1.xml")
        let (model, warnings) = try CSDLXML.readTolerantly(document)
        #expect(model.sets.map(\.names.wire) == ["Products", "Categories", "Suppliers", "Countries"])
        #expect(model[set: "Products"]?.type.navigationProperties.map(\.names.wire) == [])
        let left =
            "The navigation property ‘Category’ of ‘Product’ is left out: no property of either end holds what it follows."
        #expect(warnings.contains(left))
    }
}
