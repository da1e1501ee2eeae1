// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The version of an entity: a keyed hash over its typed values.
///
/// Equal content gives an equal ETag wherever the key of the hash is the same, but for an entity whose key another one
/// had before: its ETag says which reuse of the key it is.
/// On the wire it is a weak entity tag of fixed length: `W/"` + 22 base64url digits + `"`.
/// Source: OData Protocol 4.01, section 11.4.1.1; RFC 9110, section 8.8.3.
public struct ETag: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The upper half of ``low`` in an ETag that tells of a reuse; no hash of content has it.
    public static let reuseMark: UInt64 = 0x5265_7573

    /// The ETag of an entity whose key another one had before.
    ///
    /// - Parameters:
    ///   - content: the hash of its values.
    ///   - reuse: what tells this use of the key from all others; 0 counts as 1.
    public init(_ content: ETag, reuse: UInt32) {
        high = content.high
        low = Self.reuseMark << 32 | UInt64(max(reuse, 1))
    }

    /// Which reuse of its key the entity is; 0 for the first one that has it.
    public var reuse: UInt32 { low >> 32 == Self.reuseMark ? UInt32(truncatingIfNeeded: low) : 0 }
}
