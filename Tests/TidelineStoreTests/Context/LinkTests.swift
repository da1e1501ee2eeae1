// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Many to many on a device: posts and tags, tied by the rows of a set between them.
struct LinkTests {
    private static func linked(_ name: String, _ target: String, _ ways: (own: String, other: String))
        -> NavigationProperty
    {
        var property = NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: true,
            isDependent: false,
            constraints: [],
            partner: name == "Tags" ? "Posts" : "Tags"
        )
        property.link = LinkTable(set: "PostTags", toOwner: ways.own, toTarget: ways.other)
        return property
    }

    private static func way(_ name: String, _ target: String, _ place: Int) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: name),
            targetSet: target,
            isCollection: false,
            isNullable: false,
            isDependent: true,
            constraints: [.init(source: place, target: 0)],
            onDelete: .cascade
        )
    }

    private static let model = EntityModel(
        namespace: "Blog",
        sets: [
            EntitySet(
                names: Names(wire: "Posts"),
                type: EntityType(
                    names: Names(wire: "Post"),
                    properties: [
                        Fixture.property("PostId", .int32, nullable: false, generation: .onInsert),
                        Fixture.property("Title", .string),
                    ],
                    key: [0],
                    navigationProperties: [linked("Tags", "Tags", ("Post", "Tag"))]
                )
            ),
            EntitySet(
                names: Names(wire: "Tags"),
                type: EntityType(
                    names: Names(wire: "Tag"),
                    properties: [Fixture.property("Name", .string, nullable: false)],
                    key: [0],
                    navigationProperties: [linked("Posts", "Posts", ("Tag", "Post"))]
                )
            ),
            EntitySet(
                names: Names(wire: "PostTags"),
                type: EntityType(
                    names: Names(wire: "PostTag"),
                    properties: [
                        Fixture.property("PostId", .int32, nullable: false),
                        Fixture.property("TagName", .string, nullable: false),
                    ],
                    key: [0, 1],
                    navigationProperties: [way("Post", "Posts", 0), way("Tag", "Tags", 1)]
                )
            ),
        ]
    )

    private let folder: TestFolder
    private let store: LocalStore
    private let context: EditingContext

    init() throws {
        folder = try TestFolder()
        store = try LocalStore.create(path: folder.file("blog.tideline"), model: Self.model)
        context = EditingContext(store)
    }

    private func tag(_ name: String) throws -> ManagedRow { try context.insert(["Name": .string(name)], into: "Tags") }
    private func post(_ title: String) throws -> ManagedRow {
        try context.insert(["Title": .string(title)], into: "Posts")
    }

    /// The rows between, as `post title-tag name`, in the order of their keys.
    private func links() throws -> [String] {
        let titles = Dictionary(
            uniqueKeysWithValues: zip(try store.values("PostId", of: "Posts"), try store.values("Title", of: "Posts"))
        )
        return try store.fetch(Conference.plan(store, "PostTags")).map { row in
            let title = row["PostId"].flatMap { titles[$0] }?.text ?? "?"
            return "\(title)-\(row["TagName"]?.text ?? "?")"
        }.sorted()
    }

    @Test(arguments: [false, true])
    func `both ends say the same, saved or not`(isSaved: Bool) throws {
        let (red, blue) = (try tag("red"), try tag("blue"))
        let (one, two) = (try post("one"), try post("two"))
        if isSaved { try context.save() }
        try one.add(red, to: "Tags")
        try one.add(blue, to: "Tags")
        try red.add(two, to: "Posts")
        try one.add(red, to: "Tags")
        #expect(try one.relatedRows("Tags") == [blue, red])
        #expect(try two.relatedRows("Tags") == [red])
        #expect(try Set(red.relatedRows("Posts")) == [one, two])
        #expect(try blue.relatedRows("Posts") == [one])
        try context.save()
        #expect(try links() == ["one-blue", "one-red", "two-red"])
        try red.remove(one, from: "Posts")
        try red.remove(one, from: "Posts")
        #expect(try one.relatedRows("Tags") == [blue])
        #expect(context.undo())
        #expect(try one.relatedRows("Tags") == [blue, red])
        try one.remove(blue, from: "Tags")
        try context.save()
        #expect(try links() == ["one-red", "two-red"])
    }

    @Test func `what is tied goes with an end that is deleted, and the other end stays`() throws {
        let (red, one) = (try tag("red"), try post("one"))
        try one.add(red, to: "Tags")
        try context.save()
        try context.delete(one)
        #expect(try red.relatedRows("Posts") == [])
        try context.save()
        #expect(try links() == [])
        #expect(try store.values("Name", of: "Tags") == [.string("red")])
    }

    @Test func `an object of another set, and one end alone, are refused`() throws {
        let (red, one) = (try tag("red"), try post("one"))
        #expect(throws: LocalStoreError.self) { try one.add(one, to: "Tags") }
        let error = #expect(throws: LocalStoreError.self) { try one.relate("Tags", to: red) }
        #expect(error?.message == "'Tags' leads to many objects: add to it, or remove from it.")
    }

    @Test func `expand and lambda follow the rows between`() throws {
        let (red, blue) = (try tag("red"), try tag("blue"))
        let (one, two) = (try post("one"), try post("two"))
        _ = try post("three")
        try one.add(red, to: "Tags")
        try one.add(blue, to: "Tags")
        try two.add(red, to: "Tags")
        try context.save()
        let isRed = Conference.equal("t/Name", .string("red"))
        var plan = try Conference.plan(store, "Posts", .lambda(.any, over: ["Tags"], variable: "t", isRed))
        #expect(Set(try store.fetch(plan).compactMap { $0["Title"]?.text }) == ["one", "two"])
        plan.expansions = [ReadPlan.Expansion(navigation: 0, plan: try Conference.plan(store, "Tags"))]
        let found = try store.fetchExpanded(plan)
        let tags = found.map { row in
            let names = row.related["Tags"]?.rows.compactMap { $0.values["Name"]?.text } ?? []
            return "\(row.values["Title"]?.text ?? "?"): \(names.sorted().joined(separator: " "))"
        }
        #expect(tags.sorted() == ["one: blue red", "two: red"])
    }

    @Test func `the file of a store keeps which rows tie many to many`() throws {
        #expect(try ModelCodec.decode(ModelCodec.encode(store.model)) == store.model)
        let tags = try #require(store.model[set: "Posts"]?.type.navigationProperties.first)
        #expect(tags.link == LinkTable(set: "PostTags", toOwner: "Post", toTarget: "Tag"))
    }

    @Test(arguments: [false, true])
    func `what was untied and is tied again stays as it was`(isNested: Bool) throws {
        let (red, one) = (try tag("red"), try post("one"))
        try one.add(red, to: "Tags")
        try context.save()
        let inner = isNested ? EditingContext(parent: context) : context
        let post = try #require(try inner.object(one.key, in: "Posts"))
        let tag = try #require(try inner.object(red.key, in: "Tags"))
        try post.remove(tag, from: "Tags")
        #expect(try post.relatedRows("Tags") == [])
        try tag.add(post, to: "Posts")
        #expect(try post.relatedRows("Tags") == [tag])
        #expect(!inner.hasChanges)
        try inner.save()
        if isNested { try context.save() }
        #expect(try links() == ["one-red"])
        #expect(try store.pendingTransactions().count == 1)
    }

    @Test func `two rows between the same ends lead to one object`() throws {
        var sets = Self.model.sets
        sets[2].type.properties.append(Fixture.property("Place", .int32, nullable: false))
        sets[2].type.key = [0, 1, 2]
        let model = EntityModel(namespace: "Blog", sets: sets)
        let store = try LocalStore.create(path: folder.file("places.tideline"), model: model)
        let context = EditingContext(store)
        let post = try context.insert(["Title": .string("one")], into: "Posts")
        let tag = try context.insert(["Name": .string("red")], into: "Tags")
        try context.save()
        for place in [1, 2] {
            let key: [String: Value] = ["PostId": post.key.values[0], "TagName": .string("red")]
            try context.insert(key.merging(["Place": .integer(Int64(place))]) { $1 }, into: "PostTags")
        }
        #expect(try post.relatedRows("Tags") == [tag])
        #expect(try tag.relatedRows("Posts") == [post])
        try post.remove(tag, from: "Tags")
        #expect(try post.relatedRows("Tags") == [])
    }

    @Test func `a file without links between tables is as the release before wrote it`() throws {
        #expect(ModelCodec.encode(Self.plain).prefix(2) == [1, 4])
        #expect(ModelCodec.encode(Self.model).prefix(2) == [1, 5])
    }

    @Test(arguments: [false, true])
    func `a briefcase goes between stores of which one knows many to many`(isFromPlain: Bool) throws {
        let models = isFromPlain ? (Self.plain, Self.model) : (Self.model, Self.plain)
        let from = try LocalStore.create(path: folder.file("from.tideline"), model: models.0)
        let to = try LocalStore.create(path: folder.file("to.tideline"), model: models.1)
        try from.write { try $0.insert(["Name": .string("red")], into: "Tags") }
        try from.exportBriefcase(to: folder.file("case"), form: .file, version: "1")
        #expect(try to.importBriefcase(from: folder.file("case"), version: "1") == .imported(properties: [:]))
        #expect(try to.values("Name", of: "Tags") == [.string("red")])
        #expect(try to.check().problems == [])
    }

    /// The model as a device has it that was cloned before links between tables were told.
    private static let plain: EntityModel = {
        var sets = model.sets
        for place in sets.indices { sets[place].type.navigationProperties.removeAll { $0.link != nil } }
        return EntityModel(namespace: model.namespace, sets: sets)
    }()
}
