// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

/// Posts and tags, tied by the rows of a third set.
struct LinkAnnotationTests {
    private func model(_ link: LinkTable) -> EntityModel {
        func way(_ name: String, to set: String, _ place: Int) -> NavigationProperty {
            NavigationProperty(
                names: Names(wire: name),
                targetSet: set,
                isCollection: false,
                isNullable: false,
                isDependent: true,
                constraints: [.init(source: place, target: 0)]
            )
        }
        func set(_ name: String, _ keys: [String], _ ways: [NavigationProperty]) -> EntitySet {
            let properties = keys.map { Property(names: Names(wire: $0), type: .int32, isNullable: false) }
            let type = EntityType(
                names: Names(wire: String(name.dropLast())),
                properties: properties,
                key: Array(keys.indices),
                navigationProperties: ways
            )
            return EntitySet(names: Names(wire: name), type: type)
        }
        var tags = NavigationProperty(
            names: Names(wire: "Tags"),
            targetSet: "Tags",
            isCollection: true,
            isDependent: false,
            constraints: []
        )
        tags.link = link
        let ways = [way("Post", to: "Posts", 0), way("Tag", to: "Tags", 1)]
        return EntityModel(
            namespace: "Blog",
            sets: [
                set("Posts", ["Id"], [tags]), set("Tags", ["Id"], []),
                set("PostTags", ["PostId", "TagId"], ways),
            ]
        )
    }

    private static let link = LinkTable(set: "PostTags", toOwner: "Post", toTarget: "Tag")

    @Test(arguments: [true, false])
    func `a device that reads the metadata knows which rows tie many to many`(isXML: Bool) throws {
        let model = model(Self.link)
        let bytes = isXML ? CSDLXML.write(model) : CSDLJSON.write(model)
        let (read, warnings) = try isXML ? CSDLXML.readTolerantly(bytes) : CSDLJSON.readTolerantly(bytes)
        #expect(warnings == [])
        let tags = try #require(read[set: "Posts"]?.type.navigationProperties.first)
        #expect(tags.names.wire == "Tags" && tags.targetSet == "Tags" && tags.isCollection && !tags.isDependent)
        #expect(tags.link == Self.link)
        #expect(tags.constraints == [])
    }

    @Test func `the table stands in the metadata as a record`() {
        let xml = String(decoding: CSDLXML.write(model(Self.link)), as: UTF8.self)
        #expect(xml.contains(#"<Annotation Term="Tideline.V1.LinkTable">"#))
        #expect(xml.contains(#"<PropertyValue Property="EntitySet" String="PostTags"/>"#))
        #expect(xml.contains(#"<PropertyValue Property="ToOwner" String="Post"/>"#))
        #expect(xml.contains(#"<PropertyValue Property="ToTarget" String="Tag"/>"#))
    }

    @Test func `a user who is not shown the set of the links is told nothing of them`() {
        let whole = model(Self.link)
        let shown = whole.replacing(sets: whole.sets.filter { $0.names.wire != "PostTags" })
        let xml = String(decoding: CSDLXML.write(shown), as: UTF8.self)
        #expect(!xml.contains("PostTags") && !xml.contains("LinkTable"))
        #expect(xml.contains(#"<NavigationProperty Name="Tags""#))
    }

    @Test(arguments: [
        LinkTable(set: "Tags", toOwner: "Post", toTarget: "Tag"),
        LinkTable(set: "PostTags", toOwner: "Tag", toTarget: "Post"),
        LinkTable(set: "PostTags", toOwner: "Post", toTarget: "Post"),
        LinkTable(set: "PostTags", toOwner: "Post", toTarget: "Nothing"),
    ])
    func `a table that does not lead to both ends is none`(link: LinkTable) throws {
        let (read, warnings) = try CSDLXML.readTolerantly(CSDLXML.write(model(link)))
        #expect(read[set: "Posts"]?.type.navigationProperties == [])
        #expect(
            warnings == [
                "The navigation property ‘Tags’ of ‘Post’ is left out: \(link.set) has no ways to both ends."
            ]
        )
    }
}
