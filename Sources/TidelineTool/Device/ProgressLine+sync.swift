// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineSync

extension ProgressLine {
    /// Shows a step of a sync.
    func show(_ progress: SyncProgress) {
        switch progress.phase {
        case .sending: show("Sending", done: progress.done, of: progress.total, unit: "transactions")
        case .loading: show(progress.set ?? "Loading", done: progress.done, of: progress.total)
        case .receiving: show("Receiving", done: progress.done, of: progress.total)
        case .applying: show("Applying", done: progress.done, of: progress.total)
        case .waiting: show("No answer yet; asking the service again")
        }
    }
}
