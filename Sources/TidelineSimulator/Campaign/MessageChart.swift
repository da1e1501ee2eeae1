// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A run as people read it: a column a node, time going down.
///
///     time     a                            service
///     60.010   w3: insert -1 into Teams
///     61.200   POST $batch
///     61.240                                …
package struct MessageChart {
    /// The outcome that is drawn.
    package let outcome: Outcome

    package init(_ outcome: Outcome) { self.outcome = outcome }

    /// The chart, a line for each event, then the violations and the command that runs it again.
    package var text: String {
        var nodes: [String] = []
        for line in outcome.trace where !nodes.contains(line.node) { nodes.append(line.node) }
        nodes.sort()
        let width = 4
        var lines = outcome.trace.map { line in
            let column = (nodes.firstIndex(of: line.node) ?? 0) * width
            let time = line.time.description
            let gap = String(repeating: " ", count: max(12 - time.count, 1) + column)
            return "\(time)\(gap)\(line.node): \(line.text)"
        }
        lines.append("")
        lines += outcome.violations.map { "VIOLATION \($0)" }
        return lines.joined(separator: "\n")
    }
}
