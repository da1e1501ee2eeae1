// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// How long one sync has waited, and for what: the failures in a row, what they were of, and whether to wait once more.
struct SyncPatience {
    private let policy: RetryPolicy
    /// The failures in a row.
    var failures = 0
    /// What the last attempt failed of, until one succeeds.
    private(set) var trouble: SyncFailure?
    /// Whether an exchange has succeeded since the start or the last failure.
    private(set) var hasAnswer = false
    private var waited = Duration.zero

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    /// The exchange succeeded: the next failure is the first in a row.
    mutating func succeeded() { (failures, trouble, hasAnswer) = (0, nil, true) }

    /// The service has answered, which does not end the row of failures.
    mutating func answered(_ trouble: SyncFailure? = nil) { (self.trouble, hasAnswer) = (trouble, true) }

    /// One more failure.
    ///
    /// - Parameters:
    ///   - asked: how long the service asks to wait.
    ///   - jitter: a random number from 0 to 1.
    /// - Returns: the wait before the next attempt, or `nil` to give up.
    mutating func failed(_ trouble: SyncFailure, hasAnswer: Bool, asked: Duration?, jitter: Double) -> Duration? {
        failures += 1
        (self.trouble, self.hasAnswer) = (trouble, hasAnswer)
        return policy.wait(failures: failures, jitter: jitter, asked: asked, waited: waited)
    }

    /// More than the sync waits in all.
    var tooLong: Duration { policy.patience + .seconds(1) }

    /// Whether the sync still waits that long.
    func allows(_ wait: Duration) -> Bool { waited + wait <= policy.patience }

    mutating func wait(_ wait: Duration) { waited += wait }
}
