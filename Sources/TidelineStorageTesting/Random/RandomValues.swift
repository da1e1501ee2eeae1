// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Values of few kinds, so that equal ones meet: edges, neighbours, what is easily confused.
///
/// No U+0000, no minus zero and no not-a-number: not every database keeps them.
struct RandomValues {
    let dice: Dice

    private static let texts = [
        "", "a", "A", "b", "ab", "aB", " a", "a ", "é", "e\u{301}", "ß", "SS", "ä", "Ä", "İ", "i", "I", "%", "_", "a%b",
        "a_b",
        "\\", "'", "\"", "z", "\u{1F30A}", "\u{FFFD}", "~", "0", "10", "9",
    ]
    private static let dates = [
        "1970-01-01", "1969-12-31", "2024-02-29", "2023-12-31", "0001-01-01", "9999-12-31", "1900-03-01",
    ]
    private static let moments = [
        "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2024-02-29T12:30:15Z", "2024-03-01T00:00:00Z",
        "1999-12-31T23:59:59Z",
    ]
    private static let fractions = ["1970-01-01T00:00:00.001Z", "1969-12-31T23:59:59.999Z", "2024-02-29T12:30:15.25Z"]
    private static let times = ["00:00:00", "23:59:59.999", "12:30:00", "12:30:00.5", "01:02:03"]
    private static let durations = ["PT0S", "PT1S", "-PT1S", "P1D", "PT23H59M59S", "P1DT0.5S", "-P2DT3H", "PT0.001S"]
    private static let doubles: [Double] = [
        0, 1, -1, 1.5, -2.5, 2.5, 0.5, 0.1, 1e300, -1e300, 1e-300, 1e15, 123_456.789,
    ]
    private static let singles: [Double] = [0, 1, -1, 1.5, -2.5, 0.25, 3e9]

    /// A value that a property can hold, null among them where it may be.
    func value(of property: Property) -> Value {
        if property.isNullable, dice.chance(1, in: 4) { return .null }
        return value(of: property.type, scale: property.scale ?? 0, digits: property.precision ?? 3)
    }

    /// A value of a type, not null.
    ///
    /// - Parameters:
    ///   - scale: the most digits of a decimal after the point.
    ///   - digits: the digits of the fraction of a second.
    func value(of type: PrimitiveType, scale: Int = 2, digits: Int = 3) -> Value {
        switch type {
        case .boolean: .boolean(dice.chance(1, in: 2))
        case .byte: .integer(Int64(dice.pick([0, 1, 2, 7, 255])))
        case .sbyte: .integer(Int64(dice.pick([0, 1, -1, 127, -128])))
        case .int16: .integer(Int64(dice.pick([0, 1, -1, 2, 32_767, -32_768])))
        case .int32: .integer(Int64(dice.pick([0, 1, -1, 2, 3, 10, 2_147_483_647, -2_147_483_648])))
        case .int64: .integer(dice.pick([0, 1, -1, 2, 5, .max, .min, 9_007_199_254_740_993]))
        case .decimal:
            .decimal(
                EdmDecimal(coefficient: Int128(dice.pick([0, 1, -1, 5, 25, -25, 100, 105, 999_999])), scale: scale)
            )
        case .double: .double(dice.pick(Self.doubles))
        case .single: .double(dice.pick(Self.singles))
        case .string: .string(dice.pick(Self.texts) + (dice.chance(1, in: 3) ? dice.pick(Self.texts) : ""))
        case .binary: .binary((0..<dice.below(4)).map { _ in dice.pick([0, 1, 127, 128, 255]) })
        case .guid: .guid(GUID(high: dice.pick([0, 1, 0x7fff_ffff_ffff_ffff, .max]), low: dice.pick([0, 1, .max])))
        case .date: text(Self.dates, type)
        case .dateTimeOffset: text(Self.moments + (digits >= 3 ? Self.fractions : []), type)
        case .timeOfDay: text(Self.times, type)
        case .duration: text(Self.durations, type)
        default: .null
        }
    }

    private func text(_ texts: [String], _ type: PrimitiveType) -> Value {
        Value(text: dice.pick(texts), as: type) ?? .null
    }

    /// The key of row `number`, different for each.
    func key(_ number: Int, of type: PrimitiveType) -> Value {
        switch type {
        case .int16, .int32, .int64: .integer(Int64((number * 7) % 31 - 12))
        case .string: .string(Self.texts[number % Self.texts.count] + (number < Self.texts.count ? "" : "\(number)"))
        case .guid: .guid(GUID(high: UInt64(number % 3) << 62, low: UInt64(number)))
        case .date: .date(CalendarDate(daysSinceEpoch: Int32((number * 11) % 29 - 14)))
        default: .decimal(EdmDecimal(coefficient: Int128((number * 5) % 37 - 18), scale: 1))
        }
    }
}
