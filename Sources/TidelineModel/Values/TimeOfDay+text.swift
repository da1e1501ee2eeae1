// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension TimeOfDay: CanonicalText {
    public init?(utf8: Span<UInt8>) {
        var position = 0
        guard let time = TimeOfDay.read(utf8, at: &position), position == utf8.count else { return nil }
        self = time
    }

    public func append(to bytes: inout [UInt8]) {
        append(to: &bytes, fractionDigits: nil)
    }

    /// Appends `hh:mm:ss` and a fraction: the fewest digits that hold it, or exactly `fractionDigits`, cut.
    public func append(to bytes: inout [UInt8], fractionDigits: Int?) {
        let seconds = Int(nanoseconds / 1_000_000_000)
        ASCII.append(seconds / 3600, width: 2, to: &bytes)
        bytes.append(ASCII.colon)
        ASCII.append(seconds / 60 % 60, width: 2, to: &bytes)
        bytes.append(ASCII.colon)
        ASCII.append(seconds % 60, width: 2, to: &bytes)
        ASCII.appendFraction(nanoseconds: Int(nanoseconds % 1_000_000_000), width: fractionDigits, to: &bytes)
    }

    /// Reads `hh:mm[:ss[.fff]]` at `position` and moves it past.
    package static func read(_ utf8: Span<UInt8>, at position: inout Int) -> TimeOfDay? {
        var isLeap = false
        let time = read(utf8, at: &position, isLeap: &isLeap)
        return isLeap ? nil : time
    }

    /// The same with the second 60 of a leap second, which counts as the first of the next minute: of the next day, maybe.
    static func read(_ utf8: Span<UInt8>, at position: inout Int, isLeap: inout Bool) -> TimeOfDay? {
        guard let hour = ASCII.digits(2, in: utf8, at: &position), hour < 24,
            ASCII.skip(ASCII.colon, in: utf8, at: &position),
            let minute = ASCII.digits(2, in: utf8, at: &position), minute < 60
        else { return nil }
        var nanoseconds = Int64(hour * 3600 + minute * 60) * 1_000_000_000
        if ASCII.skip(ASCII.colon, in: utf8, at: &position) {
            guard let second = ASCII.digits(2, in: utf8, at: &position), second <= 60 else { return nil }
            isLeap = second == 60
            nanoseconds += Int64(second) * 1_000_000_000
            if ASCII.skip(ASCII.point, in: utf8, at: &position) {
                guard let fraction = ASCII.fraction(in: utf8, at: &position) else { return nil }
                nanoseconds += fraction
            }
        }
        return TimeOfDay(nanoseconds: nanoseconds)
    }
}

extension TimeOfDay: Comparable {
    public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.nanoseconds < right.nanoseconds }
}
