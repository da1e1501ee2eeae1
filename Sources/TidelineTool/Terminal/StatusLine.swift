// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One line on standard error that always has the newest words; silent unless a terminal is there.
struct StatusLine: Sendable {
    private let isOn = StandardStream.error.isTerminal

    func show(_ text: String) {
        if isOn { LastLine.show(text) }
    }

    /// Takes the line away.
    func clear() { LastLine.clear() }
}
