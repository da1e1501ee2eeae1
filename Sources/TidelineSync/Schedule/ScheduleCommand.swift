// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a schedule wants done.
enum ScheduleCommand: Hashable {
    /// Sync; leads to `ended` or `failed`.
    case sync
    /// Wait, in place of the wait that runs; leads to `elapsed`.
    case wait(Duration)
    /// End the wait that runs.
    case endWait
}
