// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData

/// What a client reads of the metadata of any service.
struct ServiceMetadataTests {
    /// Every element of CSDL 4.01, with what no model of ours has a place for.
    private static let xml = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- A comment, and a processing instruction. --><?anything goes?>
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" xmlns="http://docs.oasis-open.org/odata/ns/edm" Version="4.01">
          <edmx:Reference Uri="http://vocabs.example/Core.xml">
            <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"><Annotation Term="Core.Description" String="i"/></edmx:Include>
            <edmx:IncludeAnnotations TermNamespace="org.example.validation" Qualifier="Tablet" TargetNamespace="com.example"/>
            <Annotation Term="Core.Description"><String>A reference</String></Annotation>
          </edmx:Reference>
          <edmx:Reference Uri="other.xml"><edmx:Include Namespace="Other" Alias="O"/></edmx:Reference>
          <edmx:DataServices>
            <Schema Namespace="ODataDemo" Alias="self">
              <TypeDefinition Name="Length" UnderlyingType="Edm.Int32"><Annotation Term="Core.Description" String="cm"/></TypeDefinition>
              <EnumType Name="Color" UnderlyingType="Edm.Int64" IsFlags="1"><Member Name="Red" Value="1"/><Member Name="Green" Value="2">
                <Annotation Term="Core.Description" String="g"/></Member></EnumType>
              <EnumType Name="Plain"><Member Name="A"/><Member Name="B"/></EnumType>
              <Term Name="T" Type="Collection(Edm.String)" Nullable="true" DefaultValue="x" AppliesTo="Property Term" BaseTerm="self.U"/>
              <Term Name="U" Type="Core.Tag"/>
              <ComplexType Name="Place" Abstract="true" OpenType="true"><Property Name="City" Type="Edm.String" MaxLength="max" Unicode="false"/>
                <NavigationProperty Name="Country" Type="self.Country"><ReferentialConstraint Property="City" ReferencedProperty="Code"/></NavigationProperty>
              </ComplexType>
              <ComplexType Name="Corner" BaseType="self.Place"><Property Name="Angle" Type="Edm.Decimal" Precision="5" Scale="floating"/></ComplexType>
              <EntityType Name="Base" Abstract="true"/>
              <EntityType Name="Country" BaseType="ODataDemo.Base"><Key><PropertyRef Name="Code"/></Key>
                <Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="2"/></EntityType>
              <EntityType Name="Nested"><Key><PropertyRef Name="Where/City" Alias="WhereCity"/></Key><Property Name="Where" Type="self.Corner" Nullable="false"/></EntityType>
              <EntityType Name="Product" BaseType="self.Base" OpenType="true" HasStream="true">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Any" Type="Edm.PrimitiveType"/><Property Name="Whatever" Type="Edm.Untyped"/>
                <Property Name="Whatevers" Type="Collection(Edm.Untyped)"/><Property Name="Complex" Type="Edm.ComplexType"/>
                <Property Name="Size" Type="self.Length"/><Property Name="Foreign" Type="O.Thing"/>
                <Property Name="Colors" Type="self.Color" DefaultValue="Red"/><Property Name="Places" Type="Collection(self.Place)"/>
                <Property Name="Price" Type="Edm.Decimal" Scale="variable" Precision="38"/><Property Name="Photo" Type="Edm.Stream"/>
                <Property Name="At" Type="Edm.DateTimeOffset" Precision="12"/><Property Name="Spot" Type="Edm.GeographyPoint" SRID="variable"/>
                <Property Name="Shape" Type="Edm.GeometryPolygon" SRID="0"/><Property Name="For" Type="Edm.Duration"/>
                <Property Name="Ratio" Type="Edm.Double" DefaultValue="INF"/><Property Name="Small" Type="Edm.SByte"/>
                <NavigationProperty Name="Category" Type="self.Category" Nullable="false" Partner="Products"><OnDelete Action="SetDefault"/>
                  <ReferentialConstraint Property="CategoryID" ReferencedProperty="ID"/></NavigationProperty>
                <NavigationProperty Name="Elsewhere" Type="Collection(O.Thing)"/><NavigationProperty Name="Untold" Type="Edm.EntityType"/>
                <Property Name="CategoryID" Type="Edm.Int32"/>
                <NavigationProperty Name="Parts" Type="Collection(self.Country)" ContainsTarget="true"/>
              </EntityType>
              <EntityType Name="Special" BaseType="self.Product"><Property Name="More" Type="Edm.String"/></EntityType>
              <EntityType Name="Category"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <NavigationProperty Name="Products" Type="Collection(self.Product)" Partner="Category"/></EntityType>
              <Action Name="Rate" IsBound="true" EntitySetPath="p/Category"><Parameter Name="p" Type="self.Product"/>
                <Parameter Name="n" Type="Edm.Int32" Nullable="false"><Annotation Term="Core.OptionalParameter"/></Parameter><ReturnType Type="self.Category"/></Action>
              <Function Name="Best" IsComposable="true"><Parameter Name="n" Type="Edm.Int32"/><ReturnType Type="Collection(self.Product)" Nullable="false"/></Function>
              <Function Name="Best"><ReturnType Type="self.Product"/></Function>
              <EntityContainer Name="Small"><EntitySet Name="Countries" EntityType="self.Country" IncludeInServiceDocument="false"/></EntityContainer>
              <Annotations Target="self.Product/ID" Qualifier="Tablet">
                <Annotation Term="org.example.Expressions"><Collection><Record Type="O.R"><PropertyValue Property="a"><If><Eq><Path>ID</Path><Int>1</Int></Eq>
                  <String>one</String><Null/></If></PropertyValue></Record><Apply Function="odata.concat"><String>x</String><Path>ID</Path></Apply>
                  <Cast Type="Edm.String"><Path>ID</Path></Cast><IsOf Type="self.Special"><Path>ID</Path></IsOf><LabeledElement Name="l"><Int>1</Int></LabeledElement>
                  <LabeledElementReference>self.l</LabeledElementReference><UrlRef><String>http://x</String></UrlRef><Neg><Int>1</Int></Neg>
                  <Not><Bool>true</Bool></Not><In><Path>ID</Path><Collection><Int>1</Int></Collection></In><DivBy><Int>1</Int><Int>2</Int></DivBy></Collection></Annotation>
                <Annotation Term="org.example.More" Binary="AA" Date="2020-01-01"/><Annotation Term="org.example.Default"/>
              </Annotations>
              <Annotations Target="self.Container"><Annotation Term="Core.ODataVersions" String="4.0  4.01"/></Annotations>
            </Schema>
            <Schema Namespace="Second.One"><EntityContainer Name="Another"/></Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """#

    private static let container = #"""
        <EntityContainer Name="Container" Extends="self.Small">
          <EntitySet Name="Products" EntityType="self.Product"><NavigationPropertyBinding Path="Category" Target="Categories"/>
            <NavigationPropertyBinding Path="Elsewhere" Target="http://other/service/$metadata#Other.Container/Things"/>
            <NavigationPropertyBinding Path="self.Special/Untold" Target="self.Container/Products"/></EntitySet>
          <EntitySet Name="Categories" EntityType="ODataDemo.Category"/><EntitySet Name="Things" EntityType="O.Thing"/>
          <EntitySet Name="Bases" EntityType="self.Base"/><EntitySet Name="Nesteds" EntityType="self.Nested"/>
          <Singleton Name="Contoso" Type="self.Category"><NavigationPropertyBinding Path="Products" Target="Products"/></Singleton>
          <Singleton Name="Odd" Type="self.Base" Nullable="true"/>
          <ActionImport Name="Leave" Action="self.Rate"/><FunctionImport Name="Best" Function="self.Best" EntitySet="Products" IncludeInServiceDocument="true"/>
        </EntityContainer>
        """#

    private static let whole = xml.replacing(
        #"<EntityContainer Name="Small">"#,
        with: container + #"<EntityContainer Name="Small">"#
    )

    private func check(_ metadata: ServiceMetadata) throws {
        let model = metadata.model
        #expect(model.namespace == "ODataDemo" && model.container == "Container")
        #expect(metadata.versions == ["4.0", "4.01"])
        #expect(metadata.payloadVersion == .v401)
        #expect(Set(model.sets.map(\.names.wire)).isSuperset(of: ["Products", "Categories", "Countries"]))
        let product = try #require(model[set: "Products"]?.type)
        let names = product.properties.map(\.names.wire)
        for name in [
            "ID", "Size", "Colors", "Places", "Price", "At", "Spot", "Shape", "For", "Ratio", "Small", "CategoryID",
        ] {
            #expect(names.contains(name), "\(name)")
        }
        #expect(product.key.map { product.properties[$0].names.wire } == ["ID"])
        #expect(product.navigationProperties.map(\.names.wire).contains("Category"))
        #expect(product.derivedTypes.map(\.names.wire) == ["Special"])
        #expect(model.singletons.map(\.names.wire) == ["Contoso"])
        // What has no place is told, not hidden.
        #expect(metadata.warnings.contains { $0.contains("Things") })
        #expect(metadata.warnings.contains { $0.contains("Whatever") })
    }

    @Test(.covers("OD-1.7.18"))
    func `a document with every element of CSDL is accepted in XML`() throws {
        try check(try ServiceMetadata(Array(Self.whole.utf8)))
    }

    @Test(.covers("OD-1.7.18"))
    func `the same document is accepted in JSON`() throws {
        try check(try ServiceMetadata(try CSDLXML.json(Array(Self.whole.utf8))))
    }

    /// Documents of other makers; those of vocabularies have no container, so no service has them as its metadata.
    @Test(.covers("OD-1.7.18"), .enabled(if: SharedData.folder != nil, "../shared/data is not here"))
    func `the metadata of other makers is accepted`() throws {
        var loaded = 0
        for (folder, ending) in [
            ("csdl-schemas/examples", ".xml"), ("csdl-schemas/examples", ".json"), ("odata2ts/examples/main", ".xml"),
            ("odata2ts/int-test/asp-net", ".xml"), ("odata2ts/int-test/cap", ".xml"), ("vocabularies/examples", ".xml"),
            ("vocabularies/examples", ".json"),
        ] {
            for name in SharedData.names(in: folder, ending: ending) {
                let bytes = try SharedData.bytes(name + ending)
                let text = String(decoding: bytes, as: UTF8.self)
                // Version 2 and 3 have namespaces of their own.
                guard text.contains("EntityContainer"),
                    text.contains("oasis-open.org/odata") || text.contains("\"$Version\"")
                else { continue }
                let metadata = try #require(try? ServiceMetadata(bytes), "\(name)\(ending)")
                // Nothing falls silently: each set of the document is in the model, or a warning names it.
                for set in Self.sets(in: text) {
                    let isKept = metadata.model[set: set] != nil
                    #expect(isKept || metadata.warnings.contains { $0.contains(set) }, "\(set) of \(name)\(ending)")
                }
                loaded += 1
            }
        }
        #expect(loaded >= 10)
    }

    /// The names of the entity sets of a document in XML; of one in JSON, none.
    private static func sets(in text: String) -> [String] {
        text.split(separator: "<EntitySet ").dropFirst().compactMap { part in
            part.split(separator: ">", maxSplits: 1).first?.split(separator: "Name=\"").dropFirst().first?
                .split(separator: "\"").first.map(String.init)
        }
    }

    /// No DTD, no entities but the five, no endless nesting: nothing is fetched and nothing grows.
    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY a \"b\">]>" + whole, "<!DOCTYPE x SYSTEM \"http://127.0.0.1:1/x.dtd\">" + whole,
        whole.replacing("A reference", with: "&a;"), whole.replacing("A reference", with: "&#0;"),
        whole.replacing("A reference", with: "&#x110000;"), whole.replacing("A reference", with: "&amp"),
        String(repeating: "<a>", count: 200_000), "<edmx:Edmx Version=\"4.0\"><edmx:DataServices>", "<", "",
        "<a b=\"1\" b=\"2\"/>",
        String(whole.dropLast(20)), "<edmx:Edmx><a/></edmx:Edmx><b/>",
    ])
    func `hostile XML is refused`(text: String) {
        #expect(throws: ODataError.self) { try ServiceMetadata(Array(text.utf8)) }
    }

    @Test(arguments: [
        String(repeating: "{\"a\":", count: 200_000), String(repeating: "[", count: 200_000), "{}", "[]",
        "{\"$Version\":\"4.01\"",
        #"{"$Version":"4.01","$EntityContainer":"S.C"}"#,
    ])
    func `hostile JSON is refused`(text: String) {
        #expect(throws: ODataError.self) { try ServiceMetadata(Array(text.utf8)) }
    }
}
