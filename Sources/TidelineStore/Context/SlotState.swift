// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a context knows of one property of an object.
public struct SlotState: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value was read from the store, or given.
    public static let loaded = SlotState(rawValue: 1)
    /// The value differs from that of the store, or the object is new and the value was given.
    public static let modified = SlotState(rawValue: 2)
}
