// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What came of playing scenarios with a fault at each operation.
package struct EnumerationReport: Sendable {
    /// The points: an operation of a disk, with a fault there.
    package var points = 0
    /// What was wrong: the point, and a sentence.
    package var violations: [String] = []

    package init() {}
}
