// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The `Repeatability-Request-ID` of a transaction: a UUID of version 8 that holds its number.
///
///     48 bits of the client | version 8 | 12 zero bits | variant 2 | 62 bits: the number
///
/// Source: RFC 9562, section 5.8; OASIS Repeatable Requests 1.0, section 2.
enum RequestIdentifier {
    static func make(client: GUID, number: Int64) -> GUID {
        let mixed = client.high ^ client.low
        let high = mixed & 0xFFFF_FFFF_FFFF_0000 | 0x8000
        let low = UInt64(0b10) << 62 | UInt64(bitPattern: number) & (1 << 62 - 1)
        return GUID(high: high, low: low)
    }
}
