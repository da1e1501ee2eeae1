// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a disk has of the writes that were not synced when the power fails.
package enum DiskKeeping: Hashable, Sendable {
    /// All of them: what is left when a process is killed, and the machine runs on.
    case all
    /// None: each file is as its last sync left it.
    case synced
    /// Of each sector and of each file's length some earlier state since the last sync, chosen by the seed.
    case some(seed: UInt64)
    /// All of them, but for the newest, of which the first half is there.
    case torn
}
