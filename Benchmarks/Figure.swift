// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What was measured, beside its limit or peer in the same run.
struct Figure: Codable {
    /// What was done.
    let what: String
    /// How many were done in `seconds`, or the size at hand where a ``unit`` is given.
    let rows: Int
    let seconds: Double
    /// The limit or peer.
    let limitName: String
    let limitSeconds: Double
    /// What `seconds` and `limitSeconds` count where they are no time of `rows`: `µs`, `bytes`.
    var unit: String?
    /// Whether the ratio is of rates (ours by the limit's, as large as possible) or of times (as small as possible).
    let isRate: Bool
    let bound: Double
    /// The largest resident memory of the process, where it is part of the target.
    var peakMegabytes: Double?

    var ratio: Double { isRate ? limitSeconds / seconds : seconds / limitSeconds }
    var isMet: Bool { isRate ? ratio >= bound : ratio <= bound }
    var target: String { "\(isRate ? "at least" : "at most") \(bound)" }
}
