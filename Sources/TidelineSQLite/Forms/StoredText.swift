// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The bytes of a value's text on its way to a column or a sink: canonical OData text, or the form of the column.
struct StoredText {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(64) }

    /// The text so far.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { unsafe try body($0) }
    }

    /// Canonical text.
    mutating func append(_ value: some CanonicalText) { value.append(to: &bytes) }

    /// A GUID in upper or lower case.
    mutating func append(_ guid: GUID, upperCase: Bool) {
        if upperCase { guid.appendUpper(to: &bytes) } else { guid.append(to: &bytes) }
    }

    /// A clock time.
    ///
    /// - Parameter fraction: how many digits of the second's fraction, up to nine; `nil` for as few as hold it.
    mutating func append(_ time: TimeOfDay, fraction: Int?) {
        time.append(to: &bytes, fractionDigits: fraction.map { min($0, 9) })
    }

    /// A moment in UTC, with `T` and `Z`, or as SQLite writes it, with a space and nothing.
    mutating func append(_ moment: DateTimeOffset, fraction: Int?, isSQL: Bool = false) {
        let digits = fraction.map { min($0, 9) }
        guard isSQL else { return moment.append(to: &bytes, fractionDigits: digits) }
        moment.appendClock(to: &bytes, separator: UInt8(ascii: " "), fractionDigits: digits)
    }
}
