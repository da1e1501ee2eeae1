// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a reader of columns gives the canonical value of a column to.
///
/// Resolved when compiled: no call through a table.
package protocol ColumnOutput {
    mutating func null()
    mutating func boolean(_ value: Bool)
    mutating func integer(_ value: Int64)
    mutating func double(_ value: Double)
    mutating func text(_ utf8: UnsafeRawBufferPointer)
    mutating func binary(_ bytes: UnsafeRawBufferPointer)
    /// The column holds no value of its type: what it holds, where that can be told.
    mutating func exception(_ held: String?)
}

extension ColumnOutput {
    package mutating func exception(_ held: String?) { null() }
}
