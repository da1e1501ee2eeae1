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

    private let packer: RowPacker

    init(_ packer: RowPacker) { self.packer = packer }

    package func beginRow() { packer.beginRow() }
    package func null() { packer.null() }
    package func boolean(_ value: Bool) { packer.boolean(value) }
    package func integer(_ value: Int64) { packer.integer(value) }
    package func double(_ value: Double) { packer.double(value) }
    package func text(_ utf8: UnsafeRawBufferPointer) { unsafe packer.text(utf8) }
    package func binary(_ bytes: UnsafeRawBufferPointer) { unsafe packer.binary(bytes) }
    package func beginExpansion(_ index: Int) { packer.beginExpansion() }
    package func endExpansion(_ index: Int, count: Int?) { packer.endExpansion() }
    package func endRow(etag: ETag?) { packer.endRow(etag: etag) }
    /// The row of that key was removed.
    package func removed(_ key: Key, reason: Removal) { packer.removed(key, reason: reason.rawValue) }
    /// The rows and removals received so far.
    package var rows: Int { packer.rows }
    /// The first error, if any: receiving goes on but stores nothing more.
    package var failure: (any Error)? { packer.failure }
    /// Stores what is left in memory.
    package func finish() throws { try packer.finish() }
}
