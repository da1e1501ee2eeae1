// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How often forms may be sent that anybody may send: so many at once from one address, then one each interval.
final class FormLimit: Sendable {
    private struct Bucket {
        var left: Double
        var at: ContinuousClock.Instant
    }

    private let burst: Double
    private let interval: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let buckets = Mutex<[String: Bucket]>([:])

    init(
        burst: Int,
        interval: Duration,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now }
    ) {
        self.burst = Double(burst)
        self.interval = interval
        self.now = now
    }

    /// Whether one more may come from there now; counts it.
    func admits(_ address: String) -> Bool {
        let now = now()
        return buckets.withLock { buckets in
            // Who has been away long enough is as good as new.
            if buckets.count >= 4096 { buckets = buckets.filter { full($0.value, now) < burst } }
            if buckets.count >= 4096 { buckets.removeAll(keepingCapacity: true) }
            let left = buckets[address].map { full($0, now) } ?? burst
            buckets[address] = Bucket(left: left >= 1 ? left - 1 : left, at: now)
            return left >= 1
        }
    }

    private func full(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
        min(burst, bucket.left + (now - bucket.at) / interval)
    }
}
