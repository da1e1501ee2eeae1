// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How long sign-in waits after failures: not at all for the first four, then twice as long each time.
///
///     failures   5     6    7      8  …
///     wait      30 s  60 s  2 min  4 min … 1 hour
enum LockOut {
    /// The failures that cost nothing.
    static let free = 4
    /// After so many seconds without a failure the earlier ones are forgotten.
    static let memory: Int64 = 24 * 60 * 60

    /// - Parameter failures: the failures in a row, this one included.
    /// - Returns: seconds to wait.
    static func delay(after failures: Int64) -> Int64 {
        let beyond = failures - Int64(free)
        guard beyond > 0 else { return 0 }
        return beyond > 7 ? 3600 : min(3600, 30 << (beyond - 1))
    }
}
