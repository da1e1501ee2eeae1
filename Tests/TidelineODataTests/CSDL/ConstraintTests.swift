// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

/// Rules of entity types in metadata documents, written and read back.
struct ConstraintTests {
    private func property(_ name: String, _ type: PrimitiveType, _ change: (inout Property) -> Void = { _ in })
        -> Property
    {
        var property = Property(names: Names(wire: name), type: type)
        change(&property)
        return property
    }

    private func model(_ conditions: [String], properties: [String] = []) throws -> EntityModel {
        var type = EntityType(
            names: Names(wire: "Trip"),
            properties: [
                property("Id", .int32) { $0.isNullable = false }, property("Start", .date), property("End", .date),
                property("Name", .string), property("Cost", .decimal) { ($0.precision, $0.scale) = (8, 2) },
                property("Weight", .double), property("Mode", .int32) { $0.enumeration = "Mode" },
                property("Token", .guid), property("Note", .string) { $0.isLocalOnly = true },
                property("Parent", .int32),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Owner"),
                    targetSet: "Trips",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 9, target: 0)],
                    partner: "Parts"
                ),
                NavigationProperty(
                    names: Names(wire: "Parts"),
                    targetSet: "Trips",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 9)],
                    partner: "Owner"
                ),
            ]
        )
        type.rules = try conditions.enumerated().map {
            EntityRule(
                name: "R\($0)",
                condition: try ExpressionParser.parse($1),
                message: "Rule <\($0)> & more.",
                properties: properties
            )
        }
        var model = EntityModel(namespace: "T", sets: [EntitySet(names: Names(wire: "Trips"), type: type)])
        model.enumerations = [
            EnumerationType(names: Names(wire: "Mode"), members: [.init("Rail", 0), .init("Road", 1)])
        ]
        return model
    }

    @Test(arguments: [
        "End ge Start", "Start ge 2000-01-01 and not (Name eq null)", "Cost add 1.50 le 100 or Cost eq null",
        "length(trim(Name)) gt 0", "matchesPattern(Name,'^[A-Z]')", "Name in ('a','b')", "Id mod 2 eq 0",
        "Owner/Name ne Name", "Parts/$count le 10", "Mode eq T.Mode'Road'", "Mode in (T.Mode'Rail',T.Mode'Road')",
        "Weight lt 2.5e10", "case(Id gt 1:Cost,true:0) ge 0", "case(Id gt 1:Cost) eq null",
        "Token ne 01234567-89ab-cdef-0123-456789abcdef", "-Id lt 0", "Parts/all(p:p/Cost lt Cost)",
        "Parts/$count($filter=Cost gt 1) lt 3", "concat(concat(Name,'x'),Name) ne 'x'",
    ])
    func `a rule comes back from both formats with the same meaning`(condition: String) throws {
        let model = try model([condition], properties: ["Name", "Cost"])
        let checker = ExpressionChecker(model: model, set: model.sets[0])
        let meaning = try checker.condition(model.sets[0].type.rules[0].condition)
        for document in [CSDLXML.write(model), CSDLJSON.write(model)] {
            let read = try ServiceMetadata(document)
            #expect(read.warnings == [])
            let rules = read.model.sets[0].type.rules
            #expect(rules.map(\.name) == ["R0"])
            #expect(rules.map(\.message) == ["Rule <0> & more."])
            #expect(rules.map(\.properties) == [["Name", "Cost"]])
            let condition = try #require(rules.first?.condition)
            #expect(try checker.condition(condition) == meaning)
        }
    }

    @Test func `the annotation is that of the vocabulary, what it cannot say has a term of its own`() throws {
        let model = try model(["End ge Start", "Parts/any(p:p/Id gt Id)", "Note ne null"], properties: ["End"])
        let xml = String(decoding: CSDLXML.write(model), as: UTF8.self).split(separator: "\n").map { line in
            String(line.drop { $0 == " " })
        }
        let start = try #require(xml.firstIndex { $0.contains("Validation.Constraint") })
        #expect(
            Array(xml[start..<start + 16]) == [
                #"<Annotation Term="Validation.Constraint" Qualifier="R0">"#,
                #"<Annotation Term="Tideline.V1.Properties">"#, "<Collection>", "<String>End</String>", "</Collection>",
                "</Annotation>", "<Record>",
                #"<PropertyValue Property="FailureMessage" String="Rule &lt;0&gt; &amp; more."/>"#,
                #"<PropertyValue Property="Condition">"#, "<Ge>", "<Path>End</Path>", "<Path>Start</Path>", "</Ge>",
                "</PropertyValue>", "</Record>", "</Annotation>",
            ]
        )
        #expect(xml.contains(#"<Annotation Term="Tideline.V1.Constraint" Qualifier="R1">"#))
        #expect(xml.contains(#"<PropertyValue Property="Condition" String="Parts/any(p:p/Id gt Id)"/>"#))
        #expect(!xml.contains { $0.contains(#"Qualifier="R2""#) })
        let json = String(decoding: CSDLJSON.write(model), as: UTF8.self).filter { !$0.isWhitespace }
        #expect(json.contains(#""@Validation.Constraint#R0":{"FailureMessage":"Rule<0>&more.","Condition":{"$Ge":["#))
        #expect(json.contains(#""$Ge":[{"$Path":"End"},{"$Path":"Start"}]"#))
    }

    @Test func `a condition of many levels stands as text, so that every reader takes the document`() throws {
        // A sum is one level for each term; `and` would be read as a tree of few levels.
        let few = "Id" + String(repeating: " add 1", count: 20) + " gt 0"
        let many = "Id" + String(repeating: " add 2", count: 60) + " gt 0"
        let model = try model([few, many])
        let checker = ExpressionChecker(model: model, set: model.sets[0])
        let meanings = try model.sets[0].type.rules.map { try checker.condition($0.condition) }
        for document in [CSDLXML.write(model), CSDLJSON.write(model)] {
            let text = String(decoding: document, as: UTF8.self)
            #expect(text.contains("Tideline.V1.Constraint"))
            #expect(text.contains("Id add 2 add 2"))
            #expect(!text.contains("add 1"))
            let read = try ServiceMetadata(document)
            #expect(read.warnings == [])
            #expect(try read.model.sets[0].type.rules.map { try checker.condition($0.condition) } == meanings)
        }
    }

    @Test(arguments: [(500, false), (501, false), (200_000, false), (100, true)])
    func `texts put together in a hostile document are no deeper than expressions may be`(
        count: Int,
        isKept: Bool
    ) throws {
        let operands = String(repeating: "<String>a</String>", count: count)
        let document = """
            <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="T">
            <EntityType Name="Trip"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Annotation Term="Org.OData.Validation.V1.Constraint"><Record><PropertyValue Property="Condition">
            <Ne><Apply Function="odata.concat">\(operands)</Apply><String>b</String></Ne>
            </PropertyValue></Record></Annotation>
            </EntityType><EntityContainer Name="C"><EntitySet Name="Trips" EntityType="T.Trip"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """
        let read = try ServiceMetadata(Array(document.utf8))
        #expect(read.model.sets[0].type.rules.count == (isKept ? 1 : 0))
        #expect(read.warnings.count == (isKept ? 0 : 1))
    }

    @Test func `a condition that cannot be kept here is left out with a warning`() throws {
        let document = """
            <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="T">
            <EntityType Name="Trip"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Annotation Term="Org.OData.Validation.V1.Constraint"><Record><PropertyValue Property="Condition">
            <Gt><Path>Id</Path><Int>3</Int></Gt></PropertyValue></Record></Annotation>
            <Annotation Term="Org.OData.Validation.V1.Constraint" Qualifier="B"><Record><PropertyValue Property="Condition">
            <Apply Function="odata.fillUriTemplate"><Path>Id</Path></Apply></PropertyValue></Record></Annotation>
            <Annotation Term="Org.OData.Validation.V1.Constraint" Qualifier="C"><Record><PropertyValue Property="Condition">
            <Gt><Path>Nope</Path><Int>3</Int></Gt></PropertyValue></Record></Annotation>
            <Annotation Term="Org.OData.Validation.V1.Constraint" Qualifier="D"><Record/></Annotation>
            </EntityType><EntityContainer Name="C"><EntitySet Name="Trips" EntityType="T.Trip"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """
        let read = try ServiceMetadata(Array(document.utf8))
        #expect(
            read.model.sets[0].type.rules == [
                EntityRule(
                    name: "Constraint",
                    condition: .binary(.greaterThan, .path(["Id"]), .literal(.integer(3))),
                    message: "The entity breaks the rule Constraint."
                )
            ]
        )
        #expect(read.warnings.count == 3)
        #expect(
            read.warnings.map { $0.prefix(34) } == ["B", "C", "D"].map { "The constraint ‘\($0)’ of ‘Trip’ is le" }
        )
    }
}
