// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension Property {
    /// The value that a column of this property holds; `nil` when the stored value does not fit the storage form.
    ///
    /// The plain way, for single values; a store reads rows by its own fast paths.
    public func value(of stored: SQLValue) -> Value? {
        switch (type, stored) {
        case (_, .null): .null
        case (.boolean, .integer(let number)) where storage != .booleanText:
            number == 0 ? .boolean(false) : number == 1 ? .boolean(true) : nil
        case (.boolean, .text(let text)):
            text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case (.decimal, .integer(let number)) where storage == .decimalScaled:
            .decimal(EdmDecimal(coefficient: Int128(number), scale: scale ?? 0))
        case (.decimal, .integer(let number)): .decimal(EdmDecimal(coefficient: Int128(number)))
        case (.decimal, .real(let number)): EdmDecimal(real: number).map(Value.decimal)
        case (.decimal, .text(let text)): EdmDecimal(text).map(Value.decimal)
        case (.double, .real(let number)), (.single, .real(let number)): .double(number)
        case (.double, .integer(let number)), (.single, .integer(let number)): .double(Double(number))
        case (.string, .text(let text)): .string(text)
        case (.binary, .blob(let bytes)): .binary(bytes)
        case (.guid, .blob(let bytes)): GUID(bytes: bytes.span).map(Value.guid)
        case (.guid, .text(let text)): GUID(text).map(Value.guid)
        case (.date, _): moment(stored).map { .date($0.date) }
        case (.dateTimeOffset, _): moment(stored).map(Value.dateTimeOffset)
        case (.timeOfDay, .text(let text)): TimeOfDay(text).map(Value.timeOfDay)
        case (.duration, .text(let text)): Duration(text).map(Value.duration)
        case (_, .integer(let number)):
            type.integerRange?.contains(number) == true ? .integer(number) : nil
        default: nil
        }
    }

    private func moment(_ stored: SQLValue) -> DateTimeOffset? {
        storage.moment(of: stored)
    }
}

extension StorageForm {
    /// The moment that a stored value of this form stands for; a date is its midnight in UTC.
    package func moment(of stored: SQLValue) -> DateTimeOffset? {
        switch (self, stored) {
        case (.unixSeconds, .integer(let seconds)): DateTimeOffset(seconds: seconds)
        case (.unixMilliseconds, .integer(let milliseconds)):
            DateTimeOffset(milliseconds: milliseconds)
        case (.julianDay, .real(let day)): JulianDay(value: day)?.moment
        case (.julianDay, .integer(let day)): JulianDay(value: Double(day))?.moment
        case (_, .text(var text)):
            text.withUTF8 { buffer in unsafe DateTimeOffset(stored: buffer.span) }
        default: nil
        }
    }
}

extension DateTimeOffset {
    init(milliseconds: Int64) {
        let rest = milliseconds % 1000
        let forwards = rest < 0 ? rest + 1000 : rest
        self.init(seconds: (milliseconds - forwards) / 1000, nanoseconds: Int32(forwards * 1_000_000))
    }

    /// From either form of text: with an offset, or without one in UTC; a date alone is its midnight.
    init?(stored utf8: Span<UInt8>) {
        guard let moment = DateTimeOffset(utf8: utf8) ?? DateTimeOffset(sqlText: utf8) else { return nil }
        self = moment
    }
}
