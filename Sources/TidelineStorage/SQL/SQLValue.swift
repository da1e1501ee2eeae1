// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value as a database holds it: in a column, in a parameter, in a result.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// A value of a type that SQLite does not have, by its text: `("2024-02-29", "date")`.
    case typed(String, type: String)
}
