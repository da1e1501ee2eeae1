// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Writes the percent-encoded relative URLs of entities.
public enum ResourceURL {
    /// `Orders(42)`, percent-encoded.
    public static func entity(set: String, key: Key, type: EntityType) -> String { "" }

    /// The key predicate with its parentheses, not encoded: `(42)`, `(OrderID=1,Line=2)`.
    public static func predicate(_ key: Key, type: EntityType) -> String { "" }
}
