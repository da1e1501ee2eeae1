// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Receives the changes of one set into its staging table: rows as ``RowSink`` says, and keys of removed rows.
///
/// The last word about a key counts. Errors are kept and thrown by ``finish()``.
package final class DeltaSink: RowSink {
    /// Why a row is no longer part of the subscription.
    package enum Removal: Int64, Hashable, Sendable {
        case deleted = 1
        /// It left the filter or may not be read any more.
        case changed = 2
    }

    package func beginRow() {}
    package func null() {}
    package func boolean(_ value: Bool) {}
    package func integer(_ value: Int64) {}
    package func double(_ value: Double) {}
    package func text(_ utf8: UnsafeRawBufferPointer) {}
    package func binary(_ bytes: UnsafeRawBufferPointer) {}
    package func beginExpansion(_ index: Int) {}
    package func endExpansion(_ index: Int, count: Int?) {}
    package func endRow(etag: ETag?) {}
    /// The row of that key was removed.
    package func removed(_ key: Key, reason: Removal) {}
    package var rows: Int { 0 }
    package var failure: (any Error)? { nil }
    /// Stores what is left in memory.
    package func finish() throws {}
}
