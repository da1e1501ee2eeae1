// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

/// Typed values of rows, and every type through a real store file.
struct RowGetterTests {
    /// A set with a property of each type.
    private static let everything = EntityModel(
        namespace: "Test",
        sets: [
            EntitySet(
                names: Names(wire: "Things"),
                type: EntityType(
                    names: Names(wire: "Thing"),
                    properties: [
                        Fixture.property("Id", .int64, nullable: false), Fixture.property("Flag", .boolean),
                        Fixture.property("Tiny", .sbyte), Fixture.property("Octet", .byte),
                        Fixture.property("Small", .int16), Fixture.property("Number", .int32),
                        Fixture.property("Large", .int64), Fixture.property("Real", .double),
                        Fixture.property("Short", .single), Fixture.property("Price", .decimal, precision: 9, scale: 2),
                        Fixture.property("Exact", .decimal), Fixture.property("Text", .string),
                        Fixture.property("Bytes", .binary), Fixture.property("Mark", .guid),
                        Fixture.property("Day", .date), Fixture.property("Clock", .timeOfDay),
                        Fixture.property("Moment", .dateTimeOffset), Fixture.property("Span", .duration),
                    ],
                    key: [0]
                )
            )
        ]
    )

    private static let values: [String: Value] = [
        "Id": .integer(1), "Flag": .boolean(true), "Tiny": .integer(-128), "Octet": .integer(255),
        "Small": .integer(-32_768), "Number": .integer(2_147_483_647), "Large": .integer(.max), "Real": .double(-0.1),
        "Short": .double(0.5), "Price": .decimal(EdmDecimal(coefficient: -1_234_567, scale: 2)),
        "Exact": .decimal(EdmDecimal(coefficient: 1, scale: 20)), "Text": .string("Zoë 🐟"),
        "Bytes": .binary([0, 255, 7]), "Mark": .guid(GUID(high: 1, low: 2)),
        "Day": .date(CalendarDate(daysSinceEpoch: -1)), "Clock": .timeOfDay(TimeOfDay(nanoseconds: 86_399_500_000_000)),
        "Moment": .dateTimeOffset(DateTimeOffset(seconds: -1, nanoseconds: 5_000)),
        "Span": .duration(.seconds(90)),
    ]

    private static func store(_ folder: TestFolder) throws -> LocalStore {
        try LocalStore.create(path: folder.file("things.tideline"), model: everything)
    }

    @Test(.covers("SB-F064")) func `every type comes back as it was stored, null too`() throws {
        let folder = try TestFolder()
        let store = try Self.store(folder)
        var full = try store.newRow(in: "Things", Self.values)
        var empty = try store.newRow(in: "Things", ["Id": .integer(2)])
        try store.write { tx in
            _ = try tx.save(&full)
            _ = try tx.save(&empty)
        }
        let rows = try store.rows(in: "Things")
        #expect(rows == [full, empty])
        for (name, value) in Self.values { #expect(try rows[0][name] == value, "\(name)") }
        for name in Self.values.keys where name != "Id" { #expect(try rows[1][name] == .null, "\(name)") }
    }

    @Test func `each getter gives the value of its type, and nil for null`() throws {
        let set = Self.everything.sets[0]
        let row = try Row(loadedFrom: Self.values, in: set)
        #expect(try row.bool("Flag"))
        #expect(try row.integer("Large") == .max)
        #expect(try row.int("Tiny") == -128)
        #expect(try row.double("Real") == -0.1)
        #expect(try row.double("Number") == 2_147_483_647)
        #expect(try row.decimal("Price") == EdmDecimal(coefficient: -1_234_567, scale: 2))
        #expect(try row.decimal("Octet") == EdmDecimal(coefficient: 255))
        #expect(try row.string("Text") == "Zoë 🐟")
        #expect(try row.binary("Bytes") == [0, 255, 7])
        #expect(try row.guid("Mark") == GUID(high: 1, low: 2))
        #expect(try row.date("Day") == CalendarDate(daysSinceEpoch: -1))
        #expect(try row.timeOfDay("Clock") == TimeOfDay(nanoseconds: 86_399_500_000_000))
        #expect(try row.dateTimeOffset("Moment") == DateTimeOffset(seconds: -1, nanoseconds: 5_000))
        #expect(try row.duration("Span") == .seconds(90))
        #expect(try row.value("Number", as: Int32.self) == .max)
        #expect(try row.value("Octet", as: Int?.self) == 255)
        let empty = try store(null: set)
        #expect(try empty.integer("Large") == nil)
        #expect(try empty.double("Real") == nil)
        #expect(try empty.decimal("Price") == nil)
        #expect(try empty.binary("Bytes") == nil)
        #expect(try empty.guid("Mark") == nil)
        #expect(try empty.date("Day") == nil)
        #expect(try empty.timeOfDay("Clock") == nil)
        #expect(try empty.dateTimeOffset("Moment") == nil)
        #expect(try empty.duration("Span") == nil)
        #expect(try empty.value("Number", as: Int32?.self) == nil)
    }

    private func store(null set: EntitySet) throws -> Row {
        try Row(loadedFrom: Self.values.mapValues { _ in .null }, in: set)
    }

    @Test(.covers("SB-F060")) func `null is no text, 0 and false, and another type is an error`() throws {
        let set = Self.everything.sets[0]
        let empty = try store(null: set)
        #expect(try empty.string("Text") == nil)
        #expect(try empty.int("Number") == 0)
        #expect(try empty.bool("Flag") == false)
        #expect(try empty.bool("Number") == false)
        var row = try Row(loadedFrom: Self.values, in: set)
        func refusal(_ name: String, _ type: String, _ wanted: String) -> LocalStoreError {
            LocalStoreError(
                .invalidValue,
                set: "Things",
                properties: [name],
                message: "'\(name)' of 'Things' is \(type) and cannot be read as \(wanted)."
            )
        }
        #expect(throws: refusal("Number", "Edm.Int32", "text")) { try row.string("Number") }
        #expect(throws: refusal("Text", "Edm.String", "an integer")) { try row.int("Text") }
        #expect(throws: refusal("Text", "Edm.String", "a Boolean")) { try row.bool("Text") }
        #expect(throws: refusal("Flag", "Edm.Boolean", "a decimal")) { try row.decimal("Flag") }
        #expect(throws: refusal("Text", "Edm.String", "Int32")) { try row.value("Text", as: Int32.self) }
        #expect(throws: LocalStoreError.self) { try empty.value("Number", as: Int32.self) }
        // A Boolean that was set is read again at once.
        try row.set("Flag", to: .boolean(false))
        #expect(try row.bool("Flag") == false)
        try row.set("Flag", to: .boolean(true))
        #expect(try row.bool("Flag"))
        try row.set("Number", to: .integer(3))
        #expect(try row.bool("Number"))
    }

    @Test(.covers("DA-11", "SB-F065", "SB-W23")) func `sizes, nullability and defaults of the declaration hold`() throws
    {
        let model = EntityModel(
            namespace: "Test",
            sets: [
                EntitySet(
                    names: Names(wire: "Bookmarks"),
                    type: EntityType(
                        names: Names(wire: "Bookmark"),
                        properties: [
                            Fixture.property("Id", .int32, nullable: false, generation: .onInsert),
                            Fixture.property("Name", .string, nullable: false, maxLength: 128),
                            Fixture.property("Url", .string, nullable: false, maxLength: 256),
                            Fixture.property("Ordinal", .int32, nullable: false, defaultValue: .integer(0)),
                        ],
                        key: [0]
                    )
                )
            ]
        )
        let folder = try TestFolder()
        let store = try LocalStore.create(path: folder.file("b.tideline"), model: model)
        func save(_ name: Value, _ url: Value) throws -> Row {
            var row = try store.newRow(in: "Bookmarks", ["Name": name, "Url": url])
            try store.write { tx in _ = try tx.save(&row) }
            return row
        }
        let saved = try save(.string(String(repeating: "ë", count: 128)), .string(String(repeating: "u", count: 256)))
        #expect(try saved.int("Ordinal") == 0)
        // The default stands in the row, where a condition finds it: nothing is null that was not said.
        #expect(try store.rows(in: "Bookmarks").map { try $0["Ordinal"] } == [.integer(0)])
        func refused(_ name: Value, _ url: Value) -> (LocalStoreError.Code, [String])? {
            do { _ = try save(name, url) } catch let error as LocalStoreError {
                return (error.code, error.properties)
            } catch { return nil }
            return nil
        }
        let url = Value.string("http://example.org")
        #expect(try #require(refused(.string(String(repeating: "n", count: 129)), url)) == (.invalidValue, ["Name"]))
        let long = Value.string(String(repeating: "u", count: 257))
        #expect(try #require(refused(.string("n"), long)) == (.invalidValue, ["Url"]))
        #expect(try #require(refused(.null, url)) == (.nullValue, ["Name"]))
        #expect(try store.rows(in: "Bookmarks").count == 1)
    }
}
