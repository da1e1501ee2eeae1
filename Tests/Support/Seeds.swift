// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seeds that a random test runs with: a seed gives the same run again.
public enum Seeds {
    /// Those of `TIDELINE_SEEDS=500..<900`, or the test's own.
    public static func chosen(or own: Range<UInt64>) -> Range<UInt64> {
        let bounds = (ProcessInfo.processInfo.environment["TIDELINE_SEEDS"] ?? "").split(separator: "..<")
        guard bounds.count == 2, let first = UInt64(bounds[0]), let last = UInt64(bounds[1]), first < last else {
            return own
        }
        return first..<last
    }
}
