// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Property {
    /// A value in the storage form of the property: what is written to its column and bound against it.
    ///
    /// `nil` when the form cannot hold the value exactly. The value is of the property's family, see
    /// ``TidelineModel/Property/check(_:)``.
    public func stored(_ value: Value) -> SQLValue? {
        if value == .null { return .null }
        if storage == .julianDay { return julianDay(value) }
        if type == .decimal, storage == .native { return number(value) }
        if type == .duration { return value.text.map(SQLValue.text) }
        if case .exact(let stored) = StoredBound(value, of: self) { return stored }
        guard precision == nil, storage == .native || storage == .sqlText else { return nil }
        return variableText(value)
    }

    /// A decimal as INTEGER where it is whole, else as REAL where that reads as the same decimal.
    private func number(_ value: Value) -> SQLValue? {
        guard case .decimal(let number)? = value.promoted(to: .decimal) else { return nil }
        if let whole = number.coefficient(atScale: 0), let stored = Int64(exactly: whole) { return .integer(stored) }
        return EdmDecimal(real: number.double) == number ? .real(number.double) : nil
    }

    /// The text of a time whose column has no fixed width: as many digits as the value needs.
    private func variableText(_ value: Value) -> SQLValue? {
        var bytes: [UInt8] = []
        switch value {
        case .timeOfDay(let time): time.append(to: &bytes)
        case .dateTimeOffset(let moment) where storage == .sqlText:
            moment.appendClock(to: &bytes, separator: UInt8(ascii: " "), fractionDigits: nil)
        case .dateTimeOffset(let moment): moment.append(to: &bytes)
        default: return nil
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// A Julian day as SQLite writes it, to the millisecond.
    private func julianDay(_ value: Value) -> SQLValue? {
        let moment: DateTimeOffset
        switch value {
        case .dateTimeOffset(let value): moment = value
        case .date(let date): moment = DateTimeOffset(date: date)
        default: return nil
        }
        guard moment.nanoseconds % 1_000_000 == 0 else { return nil }
        return JulianDay(moment).map { .real($0.value) }
    }
}
