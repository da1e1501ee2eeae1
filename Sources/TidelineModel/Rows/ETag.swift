// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The version of an entity: a keyed hash over its typed values.
///
/// Equal content gives an equal ETag wherever the key of the hash is the same.
/// On the wire it is a weak entity tag of fixed length: `W/"` + 22 base64url digits + `"`.
/// Source: OData Protocol 4.01, section 11.4.1.1; RFC 9110, section 8.8.3.
public struct ETag: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
