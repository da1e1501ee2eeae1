// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// `cast`: a value of one primitive type as one of another, null where that cannot be.
///
/// Text is the canonical form of each type, both ways. Numbers are cast half away from zero; the cast fails when the
/// whole part does not fit. A moment is cast to its date or its time of day in UTC, a date to its midnight. A value whose
/// text the canonical form of a decimal has not (not a number, infinity) has no cast to decimals and integers.
/// Source: OData URL Conventions 4.01, section 5.1.1.9.1.
package enum Casting {
    package static func cast(_ value: Value, to type: PrimitiveType) -> Value {
        if type == .string {
            if case .decimal(let number) = value { return .string(number.normalized.text) }
            return value.text.map(Value.string) ?? .null
        }
        switch value {
        case .null: return .null
        case .string(let text): return Value(text: text, as: type) ?? .null
        case .integer(let number): return self.number(EdmDecimal(coefficient: Int128(number)), to: type)
        case .decimal(let number): return self.number(number, to: type)
        case .double(let number): return real(number, to: type)
        case .dateTimeOffset(let moment):
            switch type {
            case .dateTimeOffset: return value
            case .date: return .date(moment.date)
            case .timeOfDay: return .timeOfDay(moment.time)
            default: return .null
            }
        case .date(let date):
            return type == .date ? value : type == .dateTimeOffset ? .dateTimeOffset(DateTimeOffset(date: date)) : .null
        case .boolean, .binary, .guid, .timeOfDay, .duration:
            return value.literalType == type ? value : .null
        case .geography: return type.isSpatial ? value : .null
        }
    }

    private static func number(_ number: EdmDecimal, to type: PrimitiveType) -> Value {
        if let range = type.integerRange {
            guard let whole = number.rounded().coefficient(atScale: 0), let integer = Int64(exactly: whole),
                range.contains(integer)
            else { return .null }
            return .integer(integer)
        }
        switch type {
        case .decimal: return .decimal(number)
        case .double: return .double(number.double)
        case .single: return single(number.double)
        default: return .null
        }
    }

    private static func real(_ number: Double, to type: PrimitiveType) -> Value {
        switch type {
        case .double: return .double(number)
        case .single: return single(number)
        case .decimal: return EdmDecimal(shortest: number).map(Value.decimal) ?? .null
        default:
            let rounded = number.rounded(.toNearestOrAwayFromZero)
            guard let range = type.integerRange, let integer = Int64(exactly: rounded), range.contains(integer) else {
                return .null
            }
            return .integer(integer)
        }
    }

    private static func single(_ number: Double) -> Value {
        let narrow = Float(number)
        return narrow.isInfinite && number.isFinite ? .null : .double(Double(narrow))
    }
}
