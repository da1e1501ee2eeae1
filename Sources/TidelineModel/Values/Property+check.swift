// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Property {
    /// Checks a value against type, range, length, precision, scale and nullability.
    ///
    /// - Parameter value: a value of the property's family; an integer is taken for a decimal or a floating-point
    ///   property, and an exact decimal for a floating-point one.
    /// - Returns: the value in the property's own family.
    /// - Throws: ``ValueError`` that names the property.
    public func check(_ value: Value) throws(ValueError) -> Value {
        guard value != .null else {
            guard isNullable else { throw refused(.null, "is required and cannot be null") }
            return .null
        }
        guard let value = value.promoted(to: type) else {
            throw refused(.wrongType, "must be of type \(type.rawValue)")
        }
        switch value {
        case .integer(let number):
            guard let range = type.integerRange, range.contains(number) else {
                throw refused(.outOfRange, "is outside the range of \(type.rawValue)")
            }
        case .double(let number):
            guard type == .double || !number.isFinite || Float(number).isFinite else {
                throw refused(.outOfRange, "is outside the range of Edm.Single")
            }
        case .decimal(let number):
            try check(number)
        case .string(let text):
            if let maxLength, text.utf8.count > maxLength, text.unicodeScalars.count > maxLength {
                throw refused(.tooLong, "has more than \(maxLength) characters")
            }
            let hasNull =
                unsafe text.utf8.withContiguousStorageIfAvailable { unsafe $0.contains(0) } ?? text.utf8.contains(0)
            guard !hasNull else { throw refused(.nullCharacter, "has the character U+0000") }
        case .binary(let bytes):
            if let maxLength, bytes.count > maxLength {
                throw refused(.tooLong, "has more than \(maxLength) bytes")
            }
        case .date(let date):
            guard CalendarDate.range.contains(Int64(date.daysSinceEpoch)) else {
                throw refused(.outOfRange, "is outside the calendar")
            }
        case .dateTimeOffset(let moment):
            guard DateTimeOffset.range.contains(moment.seconds) else {
                throw refused(.outOfRange, "is outside the calendar")
            }
            try checkFraction(Int64(moment.nanoseconds))
        case .timeOfDay(let time):
            try checkFraction(time.nanoseconds % 1_000_000_000)
        case .duration(let duration):
            guard let nanoseconds = duration.nanoseconds else { throw refused(.outOfRange, "is longer than 292 years") }
            try checkFraction(nanoseconds % 1_000_000_000)
        case .boolean, .guid, .geography, .null:
            break
        }
        return value
    }

    private func check(_ number: EdmDecimal) throws(ValueError) {
        let number = number.normalized
        if let scale, number.scale > scale {
            throw refused(.tooManyPlaces, "has more than \(scale) digits after the point")
        }
        guard let precision, let limit = EdmDecimal.power(min(precision, 38)) else { return }
        // With a fixed scale the digits before the point are limited too: Decimal(5,2) holds 999.99 at most.
        let scaled = number.coefficient(atScale: scale ?? number.scale)
        guard let scaled, scaled.magnitude < limit else {
            throw refused(.tooManyDigits, "has more digits than precision \(precision) allows")
        }
    }

    private func checkFraction(_ nanoseconds: Int64) throws(ValueError) {
        guard let precision, precision < 9, let unit = EdmDecimal.power(9 - precision) else { return }
        guard nanoseconds % Int64(unit) == 0 else {
            throw refused(.tooManyPlaces, "has more than \(precision) digits in the fraction of its seconds")
        }
    }

    private func refused(_ code: ValueError.Code, _ what: String) -> ValueError {
        ValueError(code, property: names.wire, message: "The value of '\(names.wire)' \(what).")
    }
}
