// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

/// Rows whose properties are known at run time, over a real store file.
struct RowTests {
    private let folder: TestFolder
    private let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    private func tag(_ values: [String: Value]) throws -> Row {
        var row = try store.newRow(in: "Tags", values)
        try store.write { tx in _ = try tx.save(&row) }
        return row
    }

    private func code(_ body: () throws -> Void) -> LocalStoreError.Code? {
        do { try body() } catch { return (error as? LocalStoreError)?.code }
        return nil
    }

    @Test(.covers("DA-44")) func `three ways to a value agree, and an unknown name is told`() throws {
        let row = try tag(["Code": .string("a"), "Rank": .integer(7)])
        #expect(try row["Rank"] == .integer(7))
        #expect(try row.Rank == .integer(7))
        #expect(try row.integer("Rank") == 7)
        #expect(try row.rank == .integer(7))  // Another letter case, where one property alone has the name.
        let unknown = LocalStoreError(
            .unknownProperty,
            set: "Tags",
            properties: ["Colour"],
            message: "The entities of 'Tags' have no property 'Colour'."
        )
        #expect(throws: unknown) { try row["Colour"] }
        #expect(throws: unknown) { try row.Colour }
        #expect(throws: unknown) { try row.string("Colour") }
        var changed = row
        #expect(throws: unknown) { try changed.set("Colour", to: .null) }
        #expect(!row.hasProperty("Colour"))
        #expect(row.hasProperty("TITLE"))
    }

    @Test func `a name that two properties have in other letters needs its own letters`() throws {
        let type = EntityType(
            names: Names(wire: "T"),
            properties: [
                Fixture.property("Name", .string, nullable: false), Fixture.property("NAME", .int32),
                Fixture.property("Other", .int32),
            ],
            key: [0]
        )
        let row = try Row(
            loadedFrom: ["Name": .string("a"), "NAME": .integer(1)],
            in: EntitySet(names: Names(wire: "Ts"), type: type)
        )
        #expect(try row["Name"] == .string("a"))
        #expect(try row["NAME"] == .integer(1))
        #expect(code { _ = try row["name"] } == .unknownProperty)
        #expect(type.place(named: "other") == 2)
        #expect(type.place(named: "name") == nil)
    }

    @Test(.covers("SB-F052")) func `a property is found by name in any letter case, and the key by itself`() throws {
        let type = try #require(store.model[set: "Tags"]).type
        #expect(type.place(named: "title") == 2)
        #expect(type.place(named: "colour") == nil)
        #expect(try type.property(named: "TITLE").names.wire == "Title")
        #expect(
            throws: LocalStoreError(
                .unknownProperty,
                properties: ["colour"],
                message: "The entity type 'Tag' has no property 'colour'."
            )
        ) { try type.property(named: "colour") }
        #expect(try type.keyProperty().names.wire == "Code")
        var two = type
        two.key = [0, 1]
        #expect(
            throws: LocalStoreError(
                .invalidKey,
                properties: ["Code", "Rank"],
                message: "The key of the entity type 'Tag' has 2 properties, not one."
            )
        ) { try two.keyProperty() }
    }

    @Test(.covers("SB-F056")) func `an equal value marks nothing, and setting back takes the mark away`() throws {
        var row = try tag(["Code": .string("a"), "Title": .string("One")])
        try row.set("Title", to: .string("One"))
        #expect(!row.isModified)
        try row.set("Title", to: .string("Two"))
        #expect(row.modifiedProperties == ["Title"])
        #expect(try row.original("Title") == .string("One"))
        try row.set("Title", to: .string("One"))
        #expect(!row.isModified)
        try row.set("Rank", to: .integer(1))
        try row.revert("Rank")
        #expect(!row.isModified)
        try row.set("Hits", to: .integer(1))
        row.markForDeletion()
        row.revert()
        #expect(!row.isModified)
        #expect(!row.isMarkedForDeletion)
        #expect(try row.Hits == .null)
    }

    @Test(.covers("SB-F057")) func `loading marks nothing, setting marks`() throws {
        let set = try #require(store.model[set: "Tags"])
        var row = try Row(loadedFrom: ["Code": .string("a"), "Rank": .integer(1)], in: set)
        #expect(try row.isLoaded("Rank"))
        #expect(try !row.isModified("Rank"))
        #expect(try !row.isLoaded("Title"))
        try row.set("Title", to: .string("x"))
        #expect(try row.isLoaded("Title"))
        #expect(try row.isModified("Title"))
        #expect(code { _ = try row.original("Title") } == .notLoaded)
        try row.revert("Title")
        #expect(try !row.isLoaded("Title"))
    }

    @Test(.covers("SB-F058", "SB-W21")) func `a row is new until it has its key from the store`() throws {
        var row = try store.newRow(in: "Orders")
        #expect(row.isNew)
        #expect(!row.isModified)
        #expect(row.key == Key([.null]))
        try row.set("OrderDate", to: .dateTimeOffset(DateTimeOffset(seconds: 0)))
        #expect(row.isModified)
        let isWritten = try store.write { tx in try tx.save(&row) }
        #expect(isWritten)
        #expect(!row.isNew)
        #expect(!row.isModified)
        #expect(row.key == Key([.integer(-1)]))
        #expect(try row.int("Status") == 0)
        // Its marks are gone with the save: a second one has nothing to write, and makes no second row.
        let isWrittenTwice = try store.write { tx in try tx.save(&row) }
        #expect(!isWrittenTwice)
        #expect(try store.rows(in: "Orders").map(\.key) == [row.key])
    }

    @Test(.covers("SB-F059")) func `a row that is marked is deleted by its save`() throws {
        var row = try tag(["Code": .string("a")])
        row.markForDeletion()
        #expect(row.isMarkedForDeletion)
        let isDeleted = try store.write { tx in try tx.save(&row) }
        #expect(isDeleted)
        #expect(try store.rows(in: "Tags") == [])
        let isDeletedTwice = try store.write { tx in try tx.save(&row) }
        #expect(!isDeletedTwice)
        var unsaved = try store.newRow(in: "Tags", ["Code": .string("b")])
        unsaved.markForDeletion()
        let isWritten = try store.write { tx in try tx.save(&unsaved) }
        #expect(!isWritten)
    }

    @Test(.covers("SB-F061")) func `what a read left out is told when it is asked for`() throws {
        _ = try tag(["Code": .string("a"), "Rank": .integer(1), "Title": .string("One")])
        var plan = try Fixture.plan(store, "Tags")
        plan.columns = [2]
        let row = try #require(try store.rows(plan).first)
        #expect(try row.Title == .string("One"))
        #expect(row.key == Key([.string("a")]))
        #expect(
            throws: LocalStoreError(
                .notLoaded,
                set: "Tags",
                properties: ["Rank"],
                message: "'Rank' of 'Tags' was not read, so it has no value here."
            )
        ) { try row.Rank }
        // A new row has nothing to read: it has the defaults.
        #expect(try store.newRow(in: "Orders").Status == .integer(0))
    }

    @Test(.covers("SB-F062")) func `a row from names and values is loaded and passes over what it does not know`()
        throws
    {
        let set = try #require(store.model[set: "Tags"])
        let row = try Row(loadedFrom: ["Code": .string("a"), "hits": .integer(3), "Colour": .string("red")], in: set)
        #expect(!row.isNew)
        #expect(!row.isModified)
        #expect(try row.Hits == .integer(3))
        #expect(!row.hasProperty("Colour"))
        #expect(code { _ = try Row(loadedFrom: ["Hits": .string("3")], in: set) } == .invalidValue)
    }

    @Test(.covers("DA-50")) func `a new row takes a part of the properties, and each mistake has an error of its own`()
        throws
    {
        let row = try store.newRow(in: "Details", ["Total": .decimal(EdmDecimal(coefficient: 5))])
        #expect(try row.Total == .decimal(EdmDecimal(coefficient: 5)))
        #expect(row.modifiedProperties == ["Total"])
        let unknown = LocalStoreError(
            .unknownProperty,
            set: "Details",
            properties: ["Colour"],
            message: "The entities of 'Details' have no property 'Colour'."
        )
        #expect(throws: unknown) { try store.newRow(in: "Details", ["Colour": .string("red")]) }
        let counted = LocalStoreError(
            .invalidKey,
            set: "Details",
            properties: ["DetailId"],
            message: "'DetailId' of 'Details' is made by the server and cannot be given."
        )
        #expect(throws: counted) { try store.newRow(in: "Details", ["DetailId": .integer(5)]) }
        #expect(code { _ = try store.newRow(in: "Nothing") } == .unknownSet)
    }

    @Test(.covers("SB-F063")) func `an unchanged row touches nothing, a changed one its properties alone`() throws {
        var row = try tag(["Code": .string("a"), "Rank": .integer(1), "Title": .string("One")])
        #expect(try store.write { tx in try tx.delete(Key([.string("a")]), in: "Tags") })
        // The entity is gone: any statement for it would find nothing.
        let isWritten = try store.write { tx in try tx.save(&row) }
        #expect(!isWritten)
        try row.set("Title", to: .string("Two"))
        let before = row
        #expect(code { try store.write { tx in _ = try tx.save(&row) } } == .noSuchEntry)
        #expect(row == before)
        row = try tag(["Code": .string("b"), "Title": .string("One")])
        try Fixture.send(store)
        try row.set("Title", to: .string("Two"))
        #expect(try store.write { tx in try tx.save(&row) })
        #expect(!row.isModified)
        let change = try #require(try store.pendingTransactions().last?.changes.last?.change)
        #expect(change.operation == .update)
        #expect(change.assignments == [.init(property: 2, before: .string("One"), after: .string("Two"))])
    }
}
