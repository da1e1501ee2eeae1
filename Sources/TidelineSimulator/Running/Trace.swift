// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What happened in a run, line by line: logical events alone, nothing that is random beyond the seed.
package struct Trace: Sendable {
    /// One event.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        package var time: SimulatedTime
        /// The node that it happened at: `service`, or a device's name.
        package var node: String
        package var text: String

        package var description: String { "\(time) \(node): \(text)" }
    }

    package private(set) var lines: [Line] = []
    private var digest = Digest()

    package init() {}

    package mutating func add(_ time: SimulatedTime, _ node: String, _ text: String) {
        let line = Line(time: time, node: node, text: text)
        lines.append(line)
        digest.add(line.description)
    }

    /// The same for two runs that did the same.
    package var hash: String { digest.text }
}
