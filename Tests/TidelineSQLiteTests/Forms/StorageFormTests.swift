// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct StorageFormTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var type: PrimitiveType
        var storage: StorageForm = .native
        var precision: Int?
        var scale: Int?
        /// The SQL literal of the stored value.
        var stored: String
        /// What the sink gets.
        var text: String
        var testDescription: String { "\(type.rawValue) \(storage.rawValue) \(stored)" }

        init(_ type: PrimitiveType, _ stored: String, _ text: String, precision: Int? = nil, scale: Int? = nil) {
            self.init(type, .native, stored, text, precision: precision, scale: scale)
        }

        init(
            _ type: PrimitiveType,
            _ storage: StorageForm,
            _ stored: String,
            _ text: String,
            precision: Int? = nil,
            scale: Int? = nil
        ) {
            self.type = type
            self.storage = storage
            self.stored = stored
            self.text = text
            self.precision = precision
            self.scale = scale
        }

        var property: Property {
            Property(names: Names(wire: "P"), type: type, precision: precision, scale: scale, storage: storage)
        }
    }

    static let fitting: [Case] = [
        Case(.boolean, "1", "true"), Case(.boolean, "0", "false"),
        Case(.boolean, .booleanText, "'true'", "true"), Case(.boolean, .booleanText, "'false'", "false"),
        Case(.byte, "255", "255"), Case(.sbyte, "-128", "-128"), Case(.int16, "-32768", "-32768"),
        Case(.int32, "2147483647", "2147483647"), Case(.int64, "-9223372036854775808", "-9223372036854775808"),
        Case(.double, "1.5e300", "1.5e+300"), Case(.single, "0.5", "0.5"),
        Case(.decimal, "12.5", "12.5", scale: 2), Case(.decimal, "-7", "-7", scale: 2),
        Case(.decimal, "0.07", "0.07", scale: 2),
        Case(.decimal, .decimalText, "'12345678901234567890.123456789'", "12345678901234567890.123456789"),
        Case(.decimal, .decimalScaled, "1234", "12.34", scale: 2),
        Case(.decimal, .decimalScaled, "-5", "-0.05", scale: 2),
        Case(.string, "'é ''x'''", "é 'x'"), Case(.string, "''", ""), Case(.binary, "x'00ff'", "x00ff"),
        Case(.guid, "'0123abcd-4567-89ef-0000-00000000000a'", "0123abcd-4567-89ef-0000-00000000000a"),
        Case(.guid, .guidUpper, "'0123ABCD-4567-89EF-0000-00000000000A'", "0123abcd-4567-89ef-0000-00000000000a"),
        Case(.guid, .guidBlob, "x'0123abcd456789ef000000000000000a'", "0123abcd-4567-89ef-0000-00000000000a"),
        Case(.date, "'2024-02-29'", "2024-02-29"), Case(.date, .unixSeconds, "86400", "1970-01-02"),
        Case(.date, .unixSeconds, "-86400", "1969-12-31"),
        Case(.timeOfDay, "'13:05:09'", "13:05:09"), Case(.timeOfDay, "'13:05:09.120'", "13:05:09.12", precision: 3),
        Case(.dateTimeOffset, "'2024-02-29T13:05:09Z'", "2024-02-29T13:05:09Z"),
        Case(.dateTimeOffset, "'2024-02-29T13:05:09.500Z'", "2024-02-29T13:05:09.5Z", precision: 3),
        Case(.dateTimeOffset, .sqlText, "'1996-07-04 00:00:00'", "1996-07-04T00:00:00Z"),
        Case(.dateTimeOffset, .unixSeconds, "-1", "1969-12-31T23:59:59Z"),
        Case(.dateTimeOffset, .unixMilliseconds, "-1", "1969-12-31T23:59:59.999Z"),
        Case(.dateTimeOffset, .unixMilliseconds, "1700000000123", "2023-11-14T22:13:20.123Z"),
        Case(.dateTimeOffset, .julianDay, "2440587.5", "1970-01-01T00:00:00Z"),
        Case(.dateTimeOffset, .julianDay, "2460000.25", "2023-02-24T18:00:00Z"),
        Case(.duration, "'P1DT2H3M4.5S'", "P1DT2H3M4.5S"),
    ]

    @Test(arguments: fitting)
    func `a stored value is read in its canonical form and written back as it was`(example: Case) throws {
        let queue = try DatabaseQueue()
        try queue.write { connection in
            let reader = ColumnReader(example.property, place: 0)
            let select = try PreparedStatement(connection, "SELECT \(example.stored), typeof(\(example.stored))")
            let isRow = try select.step()
            #expect(isRow)
            let sink = RowRecorder()
            sink.beginRow()
            try reader.push(select, 0, into: sink)
            sink.endRow(etag: nil)
            #expect(sink.lines == [example.text])

            let value = try reader.value(select, 0)
            let back = try PreparedStatement(
                connection,
                "SELECT ?1 IS \(example.stored) AND typeof(?1) = typeof(\(example.stored))"
            )
            let writer = ColumnWriter(example.property)
            try writer.bind(value, back, 1)
            #expect(try back.step())
            // A decimal that is whole goes back as a whole number: the column's affinity decides.
            #expect(back.integer(0) == 1, "as a value")
            back.reset()
            guard ![.boolean, .byte, .sbyte, .int16, .int32, .int64, .double, .single, .binary].contains(example.type)
            else { return }
            try unsafe Array(example.text.utf8).withUnsafeBytes { unsafe try writer.text($0, back, 1) }
            #expect(try back.step())
            #expect(back.integer(0) == 1, "as text")
        }
    }

    @Test(arguments: [
        Case(.boolean, "2", ""), Case(.boolean, "'true'", ""), Case(.int16, "40000", ""), Case(.int32, "'1'", ""),
        Case(.int32, "1.5", ""), Case(.decimal, "0.123", "", scale: 2), Case(.decimal, "9e999", ""),
        Case(.decimal, .decimalText, "'1.2.3'", ""), Case(.string, "1", ""), Case(.string, "CAST(x'ff' AS TEXT)", ""),
        Case(.guid, "'no'", ""), Case(.guid, .guidBlob, "x'00'", ""), Case(.date, "'2023-02-29'", ""),
        Case(.date, .unixSeconds, "1", ""), Case(.dateTimeOffset, "'2024-01-01'", ""),
        Case(.dateTimeOffset, .sqlText, "'2024-01-01 25:00:00'", ""), Case(.timeOfDay, "'24:00:00'", ""),
        Case(.duration, "'1 day'", ""), Case(.binary, "'text'", ""),
    ])
    func `a value that does not fit its form is refused, never guessed`(example: Case) throws {
        let queue = try DatabaseQueue()
        try queue.read { connection in
            let select = try PreparedStatement(connection, "SELECT \(example.stored)")
            let isRow = try select.step()
            #expect(isRow)
            let error = #expect(throws: StorageError.self) {
                try ColumnReader(example.property, place: 0).value(select, 0)
            }
            #expect(error?.code == .unreadableValue)
            #expect(error?.properties == ["P"])
        }
    }

    @Test func `a value that the column cannot keep exactly is refused when it is written`() throws {
        let queue = try DatabaseQueue()
        try queue.read { connection in
            let statement = try PreparedStatement(connection, "SELECT ?1")
            func refused(_ property: Property, _ value: Value) -> Bool {
                do {
                    try ColumnWriter(property).bind(value, statement, 1)
                    return false
                } catch { return true }
            }
            let scaled = Property(names: Names(wire: "P"), type: .decimal, scale: 2, storage: .decimalScaled)
            #expect(refused(scaled, .decimal(EdmDecimal(coefficient: 12345, scale: 3))))
            #expect(!refused(scaled, .decimal(EdmDecimal(coefficient: 12340, scale: 3))))
            let real = Property(names: Names(wire: "P"), type: .decimal, scale: 4)
            #expect(refused(real, .decimal(EdmDecimal(coefficient: 12_345_678_901_234_567, scale: 4))))
            let seconds = Property(names: Names(wire: "P"), type: .dateTimeOffset, storage: .unixSeconds)
            #expect(refused(seconds, .dateTimeOffset(DateTimeOffset(seconds: 1, nanoseconds: 500_000_000))))
            let byte = Property(names: Names(wire: "P"), type: .byte)
            #expect(refused(byte, .integer(256)))
            #expect(refused(byte, .string("1")))
        }
    }
}
