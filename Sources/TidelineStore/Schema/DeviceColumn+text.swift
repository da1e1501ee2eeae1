// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Values as they arrive from the wire: canonical text, turned into the storage form byte by byte.
extension DeviceColumn {
    /// Appends the value that stands in canonical text.
    ///
    /// False when it does not fit the column.
    static func append(canonical text: UnsafeRawBufferPointer, _ rule: Rule, to buffer: PackedBuffer) -> Bool {
        switch rule.form {
        case .string:
            unsafe buffer.text(text)
            return true
        case .guid:
            guard text.count == 36 else { return false }
            if unsafe text.contains(where: { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) {
                guard let guid = unsafe GUID(utf8: text) else { return false }
                buffer.text(guid.text)
                return true
            }
            unsafe buffer.text(text)
            return true
        case .date:
            guard text.count >= 10 else { return false }
            unsafe buffer.text(text)
            return true
        case .moment: return unsafe moment(text, rule, to: buffer)
        case .decimalScaled: return unsafe scaled(text, rule, to: buffer)
        case .decimalText:
            guard let number = unsafe EdmDecimal(utf8: text) else { return false }
            buffer.text(number.normalized.text)
            return true
        case .time:
            guard let time = unsafe TimeOfDay(utf8: text) else { return false }
            var bytes: [UInt8] = []
            time.append(to: &bytes, fractionDigits: digits(of: time.nanoseconds % 1_000_000_000, rule))
            buffer.text(bytes)
            return true
        case .duration:
            guard let duration = unsafe Duration(utf8: text) else { return false }
            buffer.text(duration.text)
            return true
        case .integer, .boolean, .double, .binary, .computedTime, .computedDuration: return false
        }
    }

    /// `-12.5` with scale 4 is -125000, read digit by digit; other spellings take the slow path.
    private static func scaled(_ text: UnsafeRawBufferPointer, _ rule: Rule, to buffer: PackedBuffer) -> Bool {
        var value: Int64 = 0
        var places = -1
        var digits = 0
        var isPlain = unsafe !text.isEmpty
        var place = 0
        let isNegative = unsafe isPlain && text[0] == UInt8(ascii: "-")
        if isNegative { place = 1 }
        while place < text.count {
            let digit = unsafe text[place] &- 48
            if digit < 10, digits < 18 {
                value = value &* 10 &+ Int64(digit)
                digits += 1
                if places >= 0 { places += 1 }
            } else if unsafe text[place] == UInt8(ascii: "."), places < 0 {
                places = 0
            } else {
                isPlain = false
                break
            }
            place += 1
        }
        places = max(places, 0)
        if isPlain, digits > 0, places <= rule.scale, digits + rule.scale - places <= 18 {
            for _ in places..<rule.scale { value &*= 10 }
            buffer.integer(isNegative ? -value : value)
            return true
        }
        guard let number = unsafe EdmDecimal(utf8: text),
            let whole = number.normalized.coefficient(atScale: rule.scale).flatMap({ Int64(exactly: $0) })
        else { return false }
        buffer.integer(whole)
        return true
    }

    /// How many digits of a fraction of a second are kept: those of the column, and more where the service has more.
    static func digits(of nanoseconds: Int64, _ rule: Rule) -> Int {
        var (rest, digits) = (nanoseconds, 9)
        while digits > rule.scale, rest % 10 == 0 {
            rest /= 10
            digits -= 1
        }
        return digits
    }

    /// `2026-01-02T03:04:05[.6]Z`: the clock is copied, the fraction filled to the column's width.
    private static func moment(_ text: UnsafeRawBufferPointer, _ rule: Rule, to buffer: PackedBuffer) -> Bool {
        let count = text.count
        let width = rule.scale == 0 ? 20 : 21 + rule.scale
        let isPlain = unsafe count >= 20 && text[count - 1] == UInt8(ascii: "Z") && text[10] == UInt8(ascii: "T")
        if isPlain, count == width {
            unsafe buffer.text(text)
            return true
        }
        guard let moment = unsafe DateTimeOffset(utf8: text) else { return false }
        var bytes: [UInt8] = []
        moment.append(to: &bytes, fractionDigits: digits(of: Int64(moment.nanoseconds), rule))
        buffer.text(bytes)
        return true
    }
}
