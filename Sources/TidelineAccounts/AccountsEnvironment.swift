// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What accounts take from the world: the time and random bytes.
public struct AccountsEnvironment: Sendable {
    /// The time of now, in seconds after 1970-01-01T00:00:00Z.
    public var now: @Sendable () -> Int64
    /// That many random bytes, fit for secrets.
    public var random: @Sendable (Int) -> [UInt8]

    public init(now: @escaping @Sendable () -> Int64, random: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.random = random
    }

    /// The system's clock and its generator of random numbers.
    public static let system = AccountsEnvironment(
        now: {
            var time = timespec()
            _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec)
        },
        random: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    )
}
