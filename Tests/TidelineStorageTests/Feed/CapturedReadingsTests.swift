// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

/// What a change of a model tells otherwise of rows that did not change.
struct CapturedReadingsTests {
    private typealias Change = CapturedReadings.Change

    private func model(
        _ members: [EnumerationType.Member] = [.init("low", 0), .init("high", 1)],
        isFlags: Bool = false,
        storage: StorageForm = .native,
        _ change: (inout [Property]) -> Void = { _ in }
    ) -> EntityModel {
        var level = Property(names: Names(wire: "Level", database: "level"), type: .int32)
        level.enumeration = "Level"
        level.storage = storage
        var properties = [
            Property(names: Names(wire: "Id", database: "id"), type: .int32), level,
            Property(names: Names(wire: "Price", database: "price"), type: .decimal),
        ]
        change(&properties)
        let type = EntityType(names: Names(wire: "Item"), properties: properties, key: [0])
        var model = EntityModel(
            namespace: "Test",
            sets: [EntitySet(names: Names(wire: "Items", database: "items"), type: type)]
        )
        model.enumerations = [EnumerationType(names: Names(wire: "Level"), isFlags: isFlags, members: members)]
        return model
    }

    private func changes(_ before: EntityModel, _ after: EntityModel) throws -> [Change] {
        let before = CapturedReadings(before)
        // They come from a text, as from the state of a database.
        let read = try #require(CapturedReadings(before.text))
        #expect(read == before)
        return CapturedReadings(after).changes(since: read)
    }

    @Test func `rules and what comes with a new set tell no row otherwise`() throws {
        let after = model { properties in
            properties[2].isNullable.toggle()
            properties[2].maxLength = 9
            properties[2].precision = 12
            properties.append(Property(names: Names(wire: "New", database: "new"), type: .string))
        }
        #expect(try changes(model(), after) == [])
    }

    @Test func `another name, type, form or scale tells all values otherwise`() throws {
        let all = [Change(table: "items", column: "price", values: nil)]
        #expect(try changes(model(), model { $0[2].type = .string }) == all)
        #expect(try changes(model(), model { $0[2].names.wire = "Cost" }) == all)
        #expect(try changes(model(), model { $0[2].storage = .decimalScaled }) == all)
        #expect(try changes(model(), model { $0[2].scale = 2 }) == all)
    }

    @Test func `members tell those values otherwise that they came to, or went from`() throws {
        func change(_ values: String...) -> [Change] { [Change(table: "items", column: "level", values: values)] }
        #expect(try changes(model(), model([.init("low", 0), .init("high", 1), .init("top", 7)])) == change("7"))
        #expect(try changes(model(), model([.init("low", 0)])) == change("1"))
        #expect(try changes(model(), model([.init("small", 0), .init("high", 1)])) == change("0"))
        // By their names: another number is another ETag.
        func named(_ members: EnumerationType.Member...) -> EntityModel { model(members, storage: .memberName) }
        let before = named(.init("low", 0), .init("high", 1))
        #expect(try changes(before, named(.init("low", 0), .init("high", 1), .init("top", 2))) == change("top"))
        #expect(try changes(before, named(.init("low", 0), .init("mid", 1), .init("high", 2))) == change("high", "mid"))
        #expect(try changes(before, named(.init("low", 0), .init("top", 1))) == change("high", "top"))
    }

    @Test func `where values may be of several members, all are told otherwise`() throws {
        let after = model([.init("low", 1), .init("high", 2), .init("top", 4)], isFlags: true)
        #expect(
            try changes(model([.init("low", 1), .init("high", 2)], isFlags: true), after)
                == [Change(table: "items", column: "level", values: nil)]
        )
    }

    @Test func `two sets of one table are told by both, in whatever order they stand`() throws {
        func both(_ isSwapped: Bool, _ type: PrimitiveType = .string) -> EntityModel {
            var model = model()
            var second = model.sets[0]
            second.names.wire = "Others"
            second.type.properties[2].type = type
            model = model.replacing(sets: isSwapped ? [second, model.sets[0]] : [model.sets[0], second])
            return model
        }
        #expect(CapturedReadings(both(true)).text == CapturedReadings(both(false)).text)
        #expect(try changes(both(false), both(true)) == [])
        #expect(
            try changes(both(false), both(false, .double)) == [Change(table: "items", column: "price", values: nil)]
        )
    }

    @Test(arguments: [
        "", "[]", #"{"items": 1}"#, #"{"items": {"id": "a"}}"#, #"{"items": {"id": [1]}}"#,
        #"{"items": {"id": [["a"]]}}"#,
    ])
    func `what is no text of readings is none`(text: String) {
        #expect(CapturedReadings(text) == nil)
    }
}
