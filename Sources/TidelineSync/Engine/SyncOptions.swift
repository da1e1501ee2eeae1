// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What a sync takes from outside: patience, waiting, chance and the time.
public struct SyncOptions: Sendable {
    /// When to try again, and when to give up.
    public var retry: RetryPolicy
    /// Waits; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number from 0 to 1.
    public var random: @Sendable () -> Double
    /// The time by this device's clock; nothing depends on it.
    public var now: @Sendable () -> DateTimeOffset
    /// Waits until a pull shows again that it lives, see ``PullHeart``; throws when the task is cancelled.
    ///
    /// `nil` where nobody else syncs the file.
    package var beat: (@Sendable (Duration) async throws -> Void)? = { try await Task.sleep(for: $0) }

    /// The options, each with its usual value.
    public init(
        retry: RetryPolicy = RetryPolicy(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        now: @escaping @Sendable () -> DateTimeOffset = { DeviceClock.now }
    ) {
        self.retry = retry
        self.sleep = sleep
        self.random = random
        self.now = now
    }

    /// The same for a file that nobody else syncs: nothing goes on beside the sync, as in simulated time.
    package var alone: SyncOptions {
        var options = self
        options.beat = nil
        return options
    }
}
