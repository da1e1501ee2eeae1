// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The identifiers that people know sessions by: `Session01`, `Session02` … `Session99`, `Session100`.
enum SessionNumber {
    private static let prefix = "Session"

    /// The one after the greatest number that is taken, as numbers and not as texts; others are passed over.
    static func next(after taken: some Sequence<String>) -> String {
        let next = (taken.compactMap(number).max() ?? 0) + 1
        return prefix + (next < 10 ? "0" : "") + String(next)
    }

    private static func number(_ identifier: String) -> Int? {
        let digits = identifier.dropFirst(prefix.count)
        // Nine digits at most, so that there always is a next one.
        guard identifier.hasPrefix(prefix), digits.count <= 9, digits.allSatisfy(\.isNumber) else { return nil }
        return Int(digits)
    }
}
