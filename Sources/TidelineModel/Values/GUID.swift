// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of `Edm.Guid`: 128 bits, written as `8-4-4-4-12` lower-case hexadecimal digits.
///
/// Ordered by its bytes from the left, as its text is.
/// Source: OData ABNF construction rules, `guidValue`.
public struct GUID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A GUID of version 4 from 128 random bits, of which version and variant take six.
    ///
    /// Source: RFC 9562, section 5.4.
    public init(randomHigh high: UInt64, low: UInt64) {
        self.init(
            high: high & 0xffff_ffff_ffff_0fff | 0x4000,
            low: low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        )
    }
}
