// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a small search went through.
package struct SmallReport: Hashable, Sendable {
    /// Different states.
    package var states = 0
    /// Steps that were taken, also those to a state that was known.
    package var steps = 0
    /// States in which no device was in a sync: from each of them syncs without faults were followed to their rest.
    package var settled = 0
    /// Different contents of the devices, and of the service.
    package var deviceContents = 0
    package var serviceContents = 0
    /// How often a device was opened to take a step, and how many requests the service answered.
    package var runs = 0
    package var answers = 0
    /// Whether every state within the limits was seen.
    package var isComplete = true
    /// What was wrong, the shortest ways first: a chart of the steps that led there.
    package var violations: [String] = []
}
