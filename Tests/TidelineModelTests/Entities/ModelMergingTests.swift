// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

struct ModelMergingTests {
    private static func property(_ name: String, _ type: PrimitiveType = .int32, nullable: Bool = false) -> Property {
        Property(names: Names(wire: name), type: type, isNullable: nullable)
    }

    private static func set(
        _ name: String,
        type: String? = nil,
        _ properties: [Property],
        _ navigations: [NavigationProperty] = []
    ) -> EntitySet {
        EntitySet(
            names: Names(wire: name),
            type: EntityType(
                names: Names(wire: type ?? name + "Type"),
                properties: properties,
                key: [0],
                navigationProperties: navigations
            )
        )
    }

    private static func model(_ sets: EntitySet...) -> EntityModel { EntityModel(namespace: "App", sets: sets) }

    private static func reference(_ name: String, to target: String, _ source: Int, _ place: Int) -> NavigationProperty
    {
        NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: false,
            isDependent: true,
            constraints: [.init(source: source, target: place)]
        )
    }

    @Test(.covers("MD-I42")) func `modules with sets of their own make one model`() throws {
        let merged = try EntityModel.merging([
            Self.model(Self.set("Tracks", [Self.property("Id")])),
            Self.model(Self.set("Talks", [Self.property("Id"), Self.property("Title", .string)])),
        ])
        #expect(merged.sets.map(\.names.wire) == ["Tracks", "Talks"])
        #expect(merged[set: "Talks"]?.type.properties.map(\.names.wire) == ["Id", "Title"])
        #expect(try EntityModel.merging([]).sets == [])
        #expect(try EntityModel.merging([merged]) == merged)
    }

    @Test func `two parts of a set are joined, and ways to them lead to the right properties`() throws {
        // The second model has the properties of Talks in another order, with one more, and a set that refers to it.
        let first = Self.model(Self.set("Talks", [Self.property("Id"), Self.property("Title", .string)]))
        var talks = Self.set(
            "Talks",
            [Self.property("Room"), Self.property("Id"), Self.property("Title", .string)],
            [Self.reference("Next", to: "Talks", 0, 1)]
        )
        talks.type.key = [1]
        talks.type.uniqueKeys = [[0, 2]]
        let votes = Self.set(
            "Votes",
            [Self.property("Id"), Self.property("TalkId")],
            [Self.reference("Talk", to: "Talks", 1, 1)]
        )
        let merged = try EntityModel.merging([first, Self.model(votes, talks)])
        #expect(merged.sets.map(\.names.wire) == ["Talks", "Votes"])
        let type = try #require(merged[set: "Talks"]?.type)
        #expect(type.properties.map(\.names.wire) == ["Id", "Title", "Room"])
        #expect(type.key == [0])
        #expect(type.uniqueKeys == [[2, 1]])
        #expect(type.navigationProperties.map(\.constraints) == [[.init(source: 2, target: 0)]])
        let vote = try #require(merged[set: "Votes"]?.type)
        #expect(vote.navigationProperties.map(\.constraints) == [[.init(source: 1, target: 0)]])
    }

    @Test func `what one model leaves open the other says`() throws {
        var one = Self.reference("Talk", to: "Talks", 1, 0)
        one.onDelete = .cascade
        var other = Self.reference("Talk", to: "Talks", 1, 0)
        other.partner = "Votes"
        let talks = Self.set("Talks", [Self.property("Id")])
        let properties = [Self.property("Id"), Self.property("TalkId")]
        let merged = try EntityModel.merging([
            Self.model(talks, Self.set("Votes", properties, [one])),
            Self.model(talks, Self.set("Votes", properties, [other])),
        ])
        let navigation = try #require(merged[set: "Votes"]?.type.navigationProperties.first)
        #expect(navigation.onDelete == .cascade)
        #expect(navigation.partner == "Votes")
    }

    /// Two definitions, and what the error says.
    static let clashes: [(EntitySet, EntitySet, property: String?, message: String)] = [
        (
            set("Talks", [property("Id"), property("Title", .string)]),
            set("Talks", [property("Id"), property("Title")]),
            "Title", "Talks.Title is defined in two ways: Edm.String and Edm.Int32."
        ),
        (
            set("Talks", [property("Id"), property("Room", nullable: true)]),
            set("Talks", [property("Id"), property("Room")]),
            "Room", "Talks.Room is defined in two ways: required and optional."
        ),
        (
            set("Talks", [property("Id")]), set("Talks", [property("Number")]),
            nil, "Talks has the key Id in one model and Number in another."
        ),
        (
            set("Talks", type: "Talk", [property("Id")]), set("Talks", type: "Session", [property("Id")]),
            nil, "Talks has the type Talk in one model and Session in another."
        ),
        (
            set("Talks", [property("Id")]), set("talks", [property("Id")]),
            nil, "The entity sets Talks and talks differ in letter case alone."
        ),
        (
            set("Talks", [property("Id")], [reference("Next", to: "Talks", 0, 0)]),
            set("Talks", [property("Id"), property("NextId")], [reference("Next", to: "Talks", 1, 0)]),
            "Next", "Talks.Next is defined in two ways."
        ),
        (
            set("Talks", type: "Event", [property("Id")]), set("Breaks", type: "Event", [property("Number")]),
            nil, "The entity sets Talks and Breaks have different types, and both are named Event."
        ),
    ]

    @Test(.covers("MD-I42"), arguments: clashes)
    func `a clash names set and property`(first: EntitySet, second: EntitySet, property: String?, message: String) {
        let error = #expect(throws: ModelClash.self) {
            try EntityModel.merging([Self.model(first), Self.model(second)])
        }
        #expect(error?.message == message)
        #expect(error?.set == second.names.wire)
        #expect(error?.property == property)
    }

    @Test func `limits, calculations and rules clash too, names in code do not`() throws {
        var first = Self.set("Talks", [Self.property("Id"), Self.property("Title", .string)])
        first.type.properties[1].formerNames = ["Name"]
        first.type.calculatedProperties = [
            CalculatedProperty(names: Names(wire: "Size"), type: .int32, expression: .call(.length, [.path(["Title"])]))
        ]
        first.type.rules = [EntityRule(name: "R", condition: .literal(.boolean(true)), message: "")]
        var second = first
        second.type.properties[1].names.code = "title"
        second.type.properties[1].formerNames = ["Caption"]
        let merged = try EntityModel.merging([Self.model(first), Self.model(second)])
        #expect(merged.sets[0].type.properties[1].formerNames == ["Name", "Caption"])
        #expect(merged.sets[0].type.calculatedProperties.count == 1)
        #expect(merged.sets[0].type.rules.count == 1)
        second.type.properties[1].pattern = "x"
        #expect(Self.message(first, second) == "Talks.Title is defined in two ways: with other defaults or limits.")
        second = first
        second.type.calculatedProperties[0].expression = .literal(.integer(1))
        #expect(Self.message(first, second) == "Talks.Size is defined in two ways.")
        second = first
        second.type.rules[0].condition = .literal(.boolean(false))
        #expect(Self.message(first, second) == "Talks has two rules named R.")
        second = first
        first.type.conflictPolicy = .ask
        #expect(try EntityModel.merging([Self.model(second), Self.model(first)]).sets[0].type.conflictPolicy == .ask)
        second.type.conflictPolicy = .lastEdit
        #expect(Self.message(first, second) == "Talks has two conflict policies.")
        second = first
        second.type.properties.append(Self.property("Extra"))
        second.type.properties[1].maxLength = 5
        #expect(Self.message(first, second) == "Talks.Title is defined in two ways: MaxLength none and MaxLength 5.")
    }

    private static func message(_ first: EntitySet, _ second: EntitySet) -> String? {
        do throws(ModelClash) {
            _ = try EntityModel.merging([model(first), model(second)])
            return nil
        } catch {
            return error.message
        }
    }
}
