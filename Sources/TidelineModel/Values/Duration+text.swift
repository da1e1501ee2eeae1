// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// `xs:dayTimeDuration`: `-P1DT2H3M4.5S`; written with the largest units first and no zero unit, zero as `PT0S`.
///
/// Source: XML Schema 1.1 part 2, section 3.4.27; OData ABNF construction rules, `durationValue`.
extension Duration: CanonicalText {
    public init?(utf8: Span<UInt8>) {
        var position = 0
        let isNegative = ASCII.skip(ASCII.minus, in: utf8, at: &position)
        guard ASCII.skipLetter(UInt8(ascii: "P"), in: utf8, at: &position) else { return nil }
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        var isTime = false
        var lastUnit: UInt8 = 0
        while position < utf8.count {
            if !isTime, ASCII.skipLetter(UInt8(ascii: "T"), in: utf8, at: &position) {
                isTime = true
                guard position < utf8.count else { return nil }
                continue
            }
            guard let (count, fraction, unit) = Duration.component(in: utf8, at: &position) else { return nil }
            let size: Int64
            let rank: UInt8
            switch (unit, isTime) {
            case (UInt8(ascii: "D"), false): (size, rank) = (86_400, 1)
            case (UInt8(ascii: "H"), true): (size, rank) = (3600, 2)
            case (UInt8(ascii: "M"), true): (size, rank) = (60, 3)
            case (UInt8(ascii: "S"), true): (size, rank) = (1, 4)
            default: return nil
            }
            guard rank > lastUnit, fraction == nil || rank == 4 else { return nil }
            lastUnit = rank
            let (part, overflow) = count.multipliedReportingOverflow(by: size)
            let (sum, tooMuch) = seconds.addingReportingOverflow(part)
            guard !overflow, !tooMuch else { return nil }
            seconds = sum
            nanoseconds = fraction ?? 0
        }
        guard lastUnit > 0 else { return nil }
        let magnitude = Duration(secondsComponent: seconds, attosecondsComponent: nanoseconds * 1_000_000_000)
        self = isNegative ? .zero - magnitude : magnitude
    }

    /// Reads `digits[.digits]letter`.
    private static func component(
        in utf8: Span<UInt8>,
        at position: inout Int
    ) -> (count: Int64, fraction: Int64?, unit: UInt8)? {
        let start = position
        var count: Int64 = 0
        while position < utf8.count, let digit = ASCII.digit(utf8[position]) {
            let (tens, overflow) = count.multipliedReportingOverflow(by: 10)
            let (sum, tooMuch) = tens.addingReportingOverflow(Int64(digit))
            guard !overflow, !tooMuch else { return nil }
            count = sum
            position += 1
        }
        guard position > start else { return nil }
        var fraction: Int64?
        if ASCII.skip(ASCII.point, in: utf8, at: &position) {
            fraction = ASCII.fraction(in: utf8, at: &position)
            guard fraction != nil else { return nil }
        }
        guard position < utf8.count else { return nil }
        let unit = utf8[position] & 0xDF
        position += 1
        return (count, fraction, unit)
    }

    public func append(to bytes: inout [UInt8]) {
        let (wholeSeconds, attoseconds) = components
        if wholeSeconds < 0 || attoseconds < 0 { bytes.append(ASCII.minus) }
        let seconds = wholeSeconds.magnitude
        let nanoseconds = Int(attoseconds.magnitude / 1_000_000_000)
        bytes.append(UInt8(ascii: "P"))
        if seconds >= 86_400 {
            ASCII.append(seconds / 86_400, to: &bytes)
            bytes.append(UInt8(ascii: "D"))
        }
        let rest = Int(seconds % 86_400)
        guard rest > 0 || nanoseconds > 0 || seconds == 0 else { return }
        bytes.append(UInt8(ascii: "T"))
        if rest >= 3600 {
            ASCII.append(rest / 3600, to: &bytes)
            bytes.append(UInt8(ascii: "H"))
        }
        if rest / 60 % 60 > 0 {
            ASCII.append(rest / 60 % 60, to: &bytes)
            bytes.append(UInt8(ascii: "M"))
        }
        if rest % 60 > 0 || nanoseconds > 0 || seconds == 0 {
            ASCII.append(rest % 60, to: &bytes)
            ASCII.appendFraction(nanoseconds: nanoseconds, width: nil, to: &bytes)
            bytes.append(UInt8(ascii: "S"))
        }
    }

    /// The length in nanoseconds, cut towards zero, or `nil` outside 64 bits (about 292 years).
    package var nanoseconds: Int64? {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooMuch) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || tooMuch ? nil : sum
    }
}
