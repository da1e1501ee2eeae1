// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

struct ValueTextTests {
    @Test(arguments: [
        ("1.50", "1.5"), ("-0.001", "-0.001"), ("100", "100"), ("1e3", "1000"), ("1.5E-3", "0.0015"), ("-0", "0"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
        ("1234567890123456789.0123456789", "1234567890123456789.0123456789"), ("+7.0", "7"), ("00012.10", "12.1"),
    ])
    func `a decimal is read and written without loss`(text: String, canonical: String) {
        #expect(EdmDecimal(text)?.text == canonical)
    }

    @Test(arguments: [
        "", "-", ".5", "5.", "1.2.3", "1e", "0x1", "INF", "NaN", "1 ", "999999999999999999999999999999999999999",
        "1e39",
    ])
    func `what is no decimal is refused`(text: String) {
        #expect(EdmDecimal(text) == nil)
    }

    @Test(arguments: [
        ("P1DT2H3M4.5S", "P1DT2H3M4.5S"), ("-P1D", "-P1D"), ("PT0S", "PT0S"), ("PT36H", "P1DT12H"),
        ("PT90S", "PT1M30S"),
        ("P0D", "PT0S"), ("PT0.000000001S", "PT0.000000001S"), ("-PT0.5S", "-PT0.5S"),
    ])
    func `a duration is written with the largest units first`(text: String, canonical: String) {
        #expect(Duration(text)?.text == canonical)
    }

    @Test(arguments: ["", "P", "PT", "P1Y", "P1M", "PT1H2H", "1D", "P1H", "PT1.5H", "P1DT", "P9223372036854775807D"])
    func `what is no duration is refused`(text: String) {
        #expect(Duration(text) == nil)
    }

    @Test(arguments: [
        ("2024-02-29T12:30:15.250Z", "2024-02-29T12:30:15.25Z"), ("2024-01-01T00:00+02:00", "2023-12-31T22:00:00Z"),
        ("1969-12-31T23:59:59.999999999z", "1969-12-31T23:59:59.999999999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("-0044-03-15T12:00:00Z", "-0044-03-15T12:00:00Z"),
    ])
    func `a moment is written in UTC`(text: String, canonical: String) {
        #expect(DateTimeOffset(text)?.text == canonical)
    }

    @Test(arguments: [
        "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00",
        "2024-01-01 00:00:00Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567891Z", "9999-12-31T23:59:59-01:00",
    ])
    func `what is no moment is refused`(text: String) {
        #expect(DateTimeOffset(text) == nil)
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("2000-03-01", 11_017), ("1969-12-31", -1), ("-9999-01-01", -4_371_587),
        ("9999-12-31", 2_932_896),
    ])
    func `a date counts the days since 1970`(text: String, days: Int32) {
        #expect(CalendarDate(text)?.daysSinceEpoch == days)
        #expect(CalendarDate(daysSinceEpoch: days).text == text)
    }

    @Test(arguments: [
        ("08:15", "08:15:00"), ("23:59:59.999999999", "23:59:59.999999999"), ("00:00:00.100", "00:00:00.1"),
    ])
    func `a time of day is written with its seconds`(text: String, canonical: String) {
        #expect(TimeOfDay(text)?.text == canonical)
    }

    @Test func `a GUID is read in either case, written in lower, kept as its bytes`() throws {
        let guid = try #require(GUID("ABCDEF01-2345-6789-abcd-ef0123456789"))
        #expect(guid.text == "abcdef01-2345-6789-abcd-ef0123456789")
        #expect(
            guid.bytes == [0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89]
        )
        #expect(GUID(bytes: guid.bytes.span) == guid)
        #expect(GUID("ABCDEF0123456789abcdef0123456789") == nil)
    }

    @Test(
        arguments: [
            ([], ""), ([0], "AA"), ([0, 1], "AAE"), ([0, 1, 2], "AAEC"), ([255, 254, 253, 252], "__79_A"),
        ] as [([UInt8], String)]
    )
    func `binary is base64url`(bytes: [UInt8], text: String) {
        #expect(Base64URL.text(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        #expect(Base64URL.decode(text + padding) == bytes)
    }

    @Test(arguments: ["A", "AB=", "A===", "AAE=C", "A A", "AB"])
    func `what is no base64url is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: [
        (1.5, "1.5"), (1, "1"), (-0.001, "-0.001"), (1e300, "1e+300"), (.infinity, "INF"), (-.infinity, "-INF"),
        (.nan, "NaN"), (0.1, "0.1"), (.leastNonzeroMagnitude, "5e-324"),
    ])
    func `a floating-point number has the shortest digits that read back`(value: Double, text: String) {
        #expect(DoubleText.text(value) == text)
        #expect(Value(text: text, as: .double) == .double(value))
    }

    @Test(arguments: [
        ("127", PrimitiveType.sbyte, true), ("128", .sbyte, false), ("255", .byte, true), ("-1", .byte, false),
        ("-9223372036854775808", .int64, true), ("9223372036854775808", .int64, false), ("1.0", .int32, false),
        ("", .int32, false), ("TRUE", .boolean, false), ("true", .boolean, true), ("+P1D", .duration, false),
        ("1", .boolean, false),
    ])
    func `a value is read within the range of its type`(text: String, type: PrimitiveType, isRead: Bool) {
        #expect((Value(text: text, as: type) != nil) == isRead)
    }

    @Test func `text compares by its bytes`() {
        #expect(Value.compare(.string("Z"), .string("a")) == -1)
        #expect(Value.compare(.string("e\u{301}"), .string("\u{E9}")) == -1)
        #expect(Value.string("e\u{301}") != .string("\u{E9}"))
        #expect(Value.compare(.null, .string("")) == -1)
    }

    @Test func `values say their canonical text, not their insides`() {
        #expect("\(GUID(high: 0x0123_4567_89AB_CDEF, low: 1))" == "01234567-89ab-cdef-0000-000000000001")
        #expect("\(EdmDecimal("1.50"), default: "none")" == "1.5")
        #expect(Geography("SRID=4326;Point(1 2)").map { "\($0)" } == "SRID=4326;Point(1 2)")
    }
}
