// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Where a constant stands among the values that a column can hold.
///
/// It turns a comparison of typed values into one of the column itself, with no function around it, so that an index
/// can be used: `Total gt 1.005` over a column of cents is `total > 100`.
package enum StoredBound: Hashable, Sendable {
    /// The column holds exactly this.
    case exact(SQLValue)
    /// The constant lies between this value and the next one that the column can hold.
    case above(SQLValue)
    /// Every stored number from the first on and before the second stands for the constant.
    case range(SQLValue, SQLValue)
    /// Less than all that the column can hold.
    case beforeAll
    /// Greater than all that the column can hold.
    case afterAll
    /// Equal to nothing and in no order: not a number.
    case never
    /// The stored form does not compare as it stands; both sides must be computed.
    case computed

    init(_ value: Value, of property: Property) {
        switch value {
        case .integer(let number) where property.type.integerRange != nil: self = .exact(.integer(number))
        case .integer(let number): self.init(EdmDecimal(coefficient: Int128(number)), of: property)
        case .decimal(let number): self.init(number, of: property)
        case .double(let number): self.init(number, of: property)
        case .boolean(let flag):
            self = .exact(property.storage == .booleanText ? .text(flag ? "true" : "false") : .integer(flag ? 1 : 0))
        case .string(let text): self = .exact(.text(text))
        case .geography(let shape): self = .exact(.text(shape.text))
        case .binary(let bytes): self = .exact(.blob(bytes))
        case .guid(let guid): self = .exact(StoredBound.stored(guid, property.storage))
        case .date(let date): self.init(DateTimeOffset(date: date), of: property)
        case .dateTimeOffset(let moment): self.init(moment, of: property)
        case .timeOfDay(let time): self.init(time, of: property)
        case .duration, .null: self = .computed
        }
    }

    private init(_ number: Double, of property: Property) {
        if number.isNaN {
            self = .never
        } else if property.type == .double || property.type == .single {
            self = .exact(.real(number))
        } else if let decimal = EdmDecimal(shortest: number) {
            self.init(decimal, of: property)
        } else {
            self = number < 0 ? .beforeAll : .afterAll
        }
    }

    private init(_ number: EdmDecimal, of property: Property) {
        switch (property.type, property.storage) {
        case (.double, _), (.single, _): self = .exact(.real(number.double))
        case (.decimal, .decimalText): self = .exact(.text(number.text))
        case (.decimal, .decimalScaled): self.init(number, scale: property.scale ?? 0)
        case (.decimal, _): self.init(real: number)
        default: self.init(number, scale: 0)
        }
    }

    /// In a column of integers that hold the number times ten to `scale`.
    private init(_ number: EdmDecimal, scale: Int) {
        let floor = number.rounded(toPlaces: scale, .down)
        guard let coefficient = floor.coefficient(atScale: scale), let stored = Int64(exactly: coefficient) else {
            self = number.coefficient < 0 ? .beforeAll : .afterAll
            return
        }
        self = floor == number ? .exact(.integer(stored)) : .above(.integer(stored))
    }

    /// In a column of REAL and INTEGER numbers.
    ///
    /// A REAL is read as the decimal of its first 15 digits, so that the few neighbours of 0.3 that sums give are 0.3
    /// too.
    private init(real number: EdmDecimal) {
        if number.double.magnitude >= 1e15 {
            self = RealBound.large(number)
        } else {
            let lower = RealBound.least(number) { EdmDecimal.compare($0, number) >= 0 }
            let upper = RealBound.least(number) { EdmDecimal.compare($0, number) > 0 }
            self = .range(.real(lower), .real(upper))
        }
    }

    private static func stored(_ guid: GUID, _ form: StorageForm) -> SQLValue {
        switch form {
        case .guidBlob: return .blob(guid.bytes)
        case .guidUpper:
            var bytes: [UInt8] = []
            guid.appendUpper(to: &bytes)
            return .text(String(decoding: bytes, as: UTF8.self))
        default: return .text(guid.text)
        }
    }

    private init(_ moment: DateTimeOffset, of property: Property) {
        let isDate = property.type == .date
        let isMidnight = moment.time.nanoseconds == 0
        let day = DateTimeOffset(date: moment.date)
        switch property.storage {
        case .unixSeconds:
            let isExact = isDate ? isMidnight : moment.nanoseconds == 0
            let stored = SQLValue.integer(isDate ? day.seconds : moment.seconds)
            self = isExact ? .exact(stored) : .above(stored)
        case .unixMilliseconds:
            let cut = isDate ? day : moment
            let (scaled, overflow) = cut.seconds.multipliedReportingOverflow(by: 1000)
            guard !overflow else {
                self = cut.seconds < 0 ? .beforeAll : .afterAll
                return
            }
            let stored = SQLValue.integer(scaled + Int64(cut.nanoseconds / 1_000_000))
            let isExact = isDate ? isMidnight : moment.nanoseconds % 1_000_000 == 0
            self = isExact ? .exact(stored) : .above(stored)
        case .julianDay:
            self.init(julian: isDate ? day : moment, isExact: isDate ? isMidnight : moment.nanoseconds % 1_000_000 == 0)
        default:
            self.init(text: moment, of: property)
        }
    }

    private init(julian moment: DateTimeOffset, isExact: Bool) {
        guard let day = JulianDay(moment) else {
            self = moment.seconds < 0 ? .beforeAll : .afterAll
            return
        }
        let next = day.lowerBound(after: 1)
        self = isExact ? .range(.real(day.lowerBound()), .real(next)) : .above(.real(next.nextDown))
    }

    /// Text orders as time does when its width is fixed: that of a date, or of a time with a known number of digits.
    private init(text moment: DateTimeOffset, of property: Property) {
        let year = moment.date.components.year
        guard year >= 0 else {
            self = .beforeAll
            return
        }
        guard year <= 9999 else {
            self = .afterAll
            return
        }
        if property.type == .date {
            let text = SQLValue.text(moment.date.text)
            self = moment.time.nanoseconds == 0 ? .exact(text) : .above(text)
            return
        }
        guard let digits = property.precision else {
            self = .computed
            return
        }
        var bytes: [UInt8] = []
        if property.storage == .sqlText {
            moment.appendClock(to: &bytes, separator: UInt8(ascii: " "), fractionDigits: digits)
        } else {
            moment.append(to: &bytes, fractionDigits: digits)
        }
        let text = SQLValue.text(String(decoding: bytes, as: UTF8.self))
        self = StoredBound.fits(Int64(moment.nanoseconds), digits) ? .exact(text) : .above(text)
    }

    private init(_ time: TimeOfDay, of property: Property) {
        guard let digits = property.precision else {
            self = .computed
            return
        }
        var bytes: [UInt8] = []
        time.append(to: &bytes, fractionDigits: digits)
        let text = SQLValue.text(String(decoding: bytes, as: UTF8.self))
        self = StoredBound.fits(time.nanoseconds % 1_000_000_000, digits) ? .exact(text) : .above(text)
    }

    /// Whether a fraction in nanoseconds has no digit past the first so many.
    private static func fits(_ nanoseconds: Int64, _ digits: Int) -> Bool {
        var unit: Int64 = 1
        for _ in 0..<max(0, 9 - digits) { unit *= 10 }
        return nanoseconds % unit == 0
    }
}

/// The edges of the floating-point numbers that are read as one decimal.
private enum RealBound {
    /// The least number near a decimal whose reading satisfies a condition that holds from some number on.
    static func least(_ number: EdmDecimal, where isReached: (EdmDecimal) -> Bool) -> Double {
        func holds(_ value: Double) -> Bool { EdmDecimal(real: value).map(isReached) ?? (value > 0) }
        // At most some twenty neighbours share fifteen digits; around zero there is but zero itself.
        var bound = number.double
        while holds(bound.nextDown), bound != 0 { bound = bound.nextDown }
        while !holds(bound) { bound = bound.nextUp }
        return bound
    }

    /// From 10¹⁵ on integers are exact and floating-point numbers whole.
    static func large(_ number: EdmDecimal) -> StoredBound {
        let floor = number.rounded(toPlaces: 0, .down)
        guard let whole = floor.coefficient(atScale: 0), let stored = Int64(exactly: whole) else {
            return .exact(.real(number.double))
        }
        return floor == number ? .exact(.integer(stored)) : .above(.integer(stored))
    }
}
