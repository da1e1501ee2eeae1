// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What goes wrong with a disk at a chosen operation.
package enum DiskFault: Hashable, Sendable {
    /// No space: the operation fails when it needs some, and so do all later ones until ``SimulatedDisk/relieve()``.
    ///
    /// What overwrites, removes, shortens or syncs needs none.
    case full
    /// The operation fails with an I/O error, once.
    ///
    /// Of a write the first half may be there.
    case failure
    /// The power fails before the operation.
    case crash(DiskKeeping)
}
