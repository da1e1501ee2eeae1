// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What the values of one column are: counted in one pass over the table.
struct ColumnScan {
    private(set) var nulls = 0
    private(set) var integers = 0
    private(set) var reals = 0
    private(set) var texts = 0
    private(set) var blobs = 0

    private(set) var smallest = Int64.max
    private(set) var largest = Int64.min
    /// Integers that are no whole days in seconds.
    private(set) var partDays = 0
    /// Reals that are no decimal of at most ten digits after the point, and none that is a Julian day.
    private(set) var inexactReals = 0
    private(set) var nonJulianReals = 0
    private(set) var wholeReals = 0
    /// Digits before and after the point of decimals, found in reals and texts.
    private(set) var integerDigits = 0
    private(set) var fractionDigits = 0

    /// Texts that are no such thing.
    private(set) var nonDates = 0
    private(set) var nonTimes = 0
    /// Times and moments without seconds, which are written back with them.
    private(set) var shortTimes = 0
    /// Decimals with a sign, zeros or an exponent that are written back without.
    private(set) var looseDecimals = 0
    private(set) var nonMoments = 0
    private(set) var nonSQLMoments = 0
    private(set) var nonLowerGUIDs = 0
    private(set) var nonUpperGUIDs = 0
    private(set) var nonDecimals = 0
    private(set) var nonBooleans = 0
    private(set) var nonDurations = 0
    private(set) var illFormed = 0
    private(set) var withNUL = 0
    private(set) var longestText = 0
    private(set) var non16ByteBlobs = 0
    private(set) var smallestFraction = Int.max
    private(set) var largestFraction = 0

    /// Values that are not null.
    var values: Int { integers + reals + texts + blobs }

    var isAllIntegers: Bool { values > 0 && integers == values }
    var isAllTexts: Bool { values > 0 && texts == values }
    var isAllBlobs: Bool { values > 0 && blobs == values }
    var isAllNumbers: Bool { values > 0 && integers + reals == values }

    /// The digits of the second's fraction, when all times have as many.
    var uniformFraction: Int? { smallestFraction == largestFraction ? largestFraction : nil }

    /// What there is, for a sentence: `3 texts and 497 integers`.
    var description: String {
        [(integers, "integers"), (reals, "floating-point numbers"), (texts, "texts"), (blobs, "blobs")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " and ")
    }

    /// Counts the value of a column.
    mutating func add(_ statement: PreparedStatement, _ column: Int32) {
        switch statement.storageClass(column) {
        case .null: nulls += 1
        case .integer: add(integer: statement.integer(column))
        case .real: add(real: statement.real(column))
        case .text: unsafe add(text: statement.text(column))
        case .blob:
            blobs += 1
            if unsafe statement.blob(column).count != 16 { non16ByteBlobs += 1 }
        }
    }

    private mutating func add(integer value: Int64) {
        integers += 1
        smallest = min(smallest, value)
        largest = max(largest, value)
        if value % 86_400 != 0 { partDays += 1 }
    }

    private mutating func add(real value: Double) {
        reals += 1
        if Int64(exactly: value) != nil { wholeReals += 1 }
        if let (coefficient, scale) = RealDecimal.digits(of: value, scale: 10) {
            fractionDigits = max(fractionDigits, scale)
            integerDigits = max(integerDigits, String(coefficient.magnitude).utf8.count - scale)
        } else {
            inexactReals += 1
        }
        if value < 1_721_060 || value > 5_373_484.5 { nonJulianReals += 1 }
    }

    private mutating func add(text bytes: UnsafeRawBufferPointer) {
        texts += 1
        guard unsafe isWellFormedUTF8(bytes) else {
            illFormed += 1
            return
        }
        if unsafe bytes.contains(0) { withNUL += 1 }
        // Characters in the sense of OData are Unicode code points: bytes that do not continue one.
        if bytes.count > longestText {
            longestText = max(longestText, unsafe bytes.reduce(0) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 })
        }
        if nonDates == 0 || nonMoments == 0 || nonSQLMoments == 0 { unsafe addMoment(bytes) }
        if nonTimes == 0 {
            var cursor = unsafe TextCursor(bytes)
            if let (_, fraction) = cursor.time(), cursor.isAtEnd { add(fraction: fraction) } else { nonTimes += 1 }
            if bytes.count < 8 { shortTimes += 1 }
        }
        if nonLowerGUIDs == 0 || nonUpperGUIDs == 0 {
            let isGUID = unsafe GUID(utf8: bytes) != nil
            if unsafe !isGUID || bytes.contains(where: { 0x41...0x46 ~= $0 }) { nonLowerGUIDs += 1 }
            if unsafe !isGUID || bytes.contains(where: { 0x61...0x66 ~= $0 }) { nonUpperGUIDs += 1 }
        }
        if nonDecimals == 0 {
            var cursor = unsafe TextCursor(bytes)
            if let decimal = cursor.decimal(), cursor.isAtEnd {
                fractionDigits = max(fractionDigits, decimal.scale)
                integerDigits = max(integerDigits, String(decimal.coefficient.magnitude).utf8.count - decimal.scale)
                var text = StoredText()
                text.append(decimal)
                if unsafe !bytes.elementsEqual(text.bytes) { looseDecimals += 1 }
            } else {
                nonDecimals += 1
            }
        }
        if nonBooleans == 0, unsafe !(bytes.elementsEqual("true".utf8) || bytes.elementsEqual("false".utf8)) {
            nonBooleans += 1
        }
        if nonDurations == 0 {
            if unsafe Duration(utf8: bytes) == nil { nonDurations += 1 }
        }
    }

    private mutating func addMoment(_ bytes: UnsafeRawBufferPointer) {
        var cursor = unsafe TextCursor(bytes)
        guard cursor.date() != nil else {
            nonDates += 1
            nonMoments += 1
            nonSQLMoments += 1
            return
        }
        if !cursor.isAtEnd { nonDates += 1 }
        let isSQL = cursor.skip(" ")
        guard isSQL || cursor.skip("T"), let (_, fraction) = cursor.time() else {
            nonMoments += 1
            nonSQLMoments += 1
            return
        }
        let hasZone = cursor.skip("Z")
        let isEnd = cursor.isAtEnd
        if isSQL || !hasZone || !isEnd { nonMoments += 1 }
        if !isSQL, bytes.count < 20 { shortTimes += 1 }
        // Without seconds SQLite reads it too, but what is written back would look different.
        if !isSQL || hasZone || !isEnd || bytes.count < 19 { nonSQLMoments += 1 }
        add(fraction: fraction)
    }

    private mutating func add(fraction: Int) {
        smallestFraction = min(smallestFraction, fraction)
        largestFraction = max(largestFraction, fraction)
    }
}
