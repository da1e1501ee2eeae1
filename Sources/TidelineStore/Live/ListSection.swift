// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A section of a list: the value that its rows have in common, and their keys.
///
/// No two sections of a list have the same value, and none is empty. A list without sections has one, whose value is
/// null, or none while there are no rows.
public struct ListSection: Hashable, Sendable, Identifiable {
    /// What the rows have in common.
    public let value: Value
    /// The keys of the rows, in their order.
    public internal(set) var keys: [Key]

    public init(value: Value, keys: [Key] = []) {
        self.value = value
        self.keys = keys
    }

    public var id: Value { value }

    /// The value as text, to be shown; empty for null.
    public var name: String { value.text ?? "" }

    /// The number of rows.
    public var count: Int { keys.count }
}
