// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// Where a schedule stands.
enum ScheduleState: Hashable {
    /// Nothing has begun.
    case off
    /// Everything is done that was asked for; a timer runs where there is an interval.
    case idle
    /// Something was changed here; the wait for quiet was begun so many times again.
    case settling(extended: Int)
    /// A sync is under way; `isWanted` when something came since that asks for another.
    case syncing(isWanted: Bool)
    /// A sync has just ended, and the next does not begin at once; `isWanted` when it is asked for.
    case resting(isWanted: Bool)
    /// The last sync failed for something that passes.
    case retrying(SyncFailure.Kind)
    /// The last sync failed for something that needs a person.
    case stopped
}
