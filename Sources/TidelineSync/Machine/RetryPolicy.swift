// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// When to try again after a failure that may pass, and when to give up.
public struct RetryPolicy: Hashable, Sendable {
    /// The longest first wait; each further one may be twice as long.
    public var base: Duration
    /// The longest wait of all.
    public var longest: Duration
    /// How long a sync waits in all before it gives up; nothing is lost then, the next sync goes on.
    public var patience: Duration

    public init(
        base: Duration = .milliseconds(500),
        longest: Duration = .seconds(30),
        patience: Duration = .seconds(20)
    ) {
        self.base = base
        self.longest = longest
        self.patience = patience
    }

    /// The wait before the attempt after `failures` failures in a row, or `nil` to give up.
    ///
    /// - Parameters:
    ///   - jitter: a random number from 0 to 1.
    ///   - waited: what this sync has waited already.
    func wait(failures: Int, jitter: Double, asked: Duration?, waited: Duration) -> Duration? {
        let wait = pause(failures: failures, jitter: jitter, asked: asked)
        return waited + wait <= patience ? wait : nil
    }

    /// The wait before the attempt after `failures` failures in a row, 1 or more, whatever the patience.
    ///
    /// Between half and all of base · 2ⁿ⁻¹, so that many devices do not come back in step; never less than the service
    /// asked for.
    ///
    /// - Parameter jitter: a random number from 0 to 1.
    func pause(failures: Int, jitter: Double, asked: Duration?) -> Duration {
        let doubled = base * (1 << min(max(failures - 1, 0), 16))
        let most = min(doubled, longest)
        let own = most / 2 + most / 2 * min(max(jitter, 0), 1)
        return max(own, asked ?? .zero)
    }
}
