// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Receives the rows of one set, as ``RowSink`` says, into a hidden table: those of a first load, or the changes of a
/// delta with the keys of removed rows.
///
/// Rows are packed in memory and stored every few thousand, each batch in a short transaction of its own, so no lock is
/// held while rows arrive. The last word about a key counts. Errors are kept and thrown by ``finish()``.
package final class HiddenTableSink: RowSink {
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
    /// The row of that key was removed; a first load has none such.
    package func removed(_ key: Key, reason: Removal) { packer.removed(key, reason: reason.rawValue) }
    /// The rows and removals received so far.
    package var rows: Int { packer.rows }
    /// The first error, if any: receiving goes on but stores nothing more.
    package var failure: (any Error)? { packer.failure }
    /// How many values of each property SQLite cannot hold (NaN), and are null, since the last call: by wire names.
    package func takeUnheld() -> [String: Int] { packer.takeUnheld() }
    /// Stores what is left in memory.
    ///
    /// Call it at the end of each page, and before ``LocalStore/apply(_:)``.
    package func finish() throws { try packer.finish() }
}
