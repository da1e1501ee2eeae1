// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// What happened to a schedule.
enum ScheduleEvent {
    /// The schedule begins, or is asked to go on; or a sync of another program succeeded.
    case start
    /// Something was written here that no sync has taken up.
    case changed
    /// The service told of a change, or the network is there again.
    case signalled
    /// The time of the last `wait` is over.
    case elapsed
    /// A sync came to its end, whoever asked for it.
    ///
    /// - Parameters:
    ///   - hasMore: whether something was written since.
    ///   - isAnswered: whether it has read all that the service told so far.
    case ended(hasMore: Bool, isAnswered: Bool = false)
    /// A sync failed, whoever asked for it.
    ///
    /// - Parameters:
    ///   - isRetried: whether the same may be tried with nobody's doing.
    ///   - asked: how long the service asks to wait.
    ///   - jitter: a random number from 0 to 1.
    case failed(SyncFailure.Kind, isRetried: Bool, asked: Duration?, jitter: Double)
}
