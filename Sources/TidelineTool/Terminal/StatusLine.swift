// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One line on standard error that always has the newest words; silent unless a terminal is there.
final class StatusLine: Sendable {
    private let isOn = StandardStream.error.isTerminal
    private let shown = Mutex("")

    func show(_ text: String) {
        guard isOn else { return }
        shown.withLock { shown in
            guard shown != text else { return }
            shown = text
            StandardStream.error.write("\r\u{1B}[2K" + text.prefix(max(20, StandardStream.error.width - 1)))
        }
    }

    /// Takes the line away.
    func clear() {
        shown.withLock { shown in
            guard !shown.isEmpty else { return }
            shown = ""
            StandardStream.error.write("\r\u{1B}[2K")
        }
    }
}
