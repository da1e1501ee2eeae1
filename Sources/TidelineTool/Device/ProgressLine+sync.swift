// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore
import TidelineSync

extension ProgressLine {
    /// Shows a step of a sync.
    func show(_ progress: SyncProgress) {
        switch progress.phase {
        case .sending: show("Sending", done: progress.done, of: progress.total, unit: "transactions")
        case .loading: show(progress.set ?? "Loading", done: progress.done, of: progress.total)
        case .receiving: show("Receiving", done: progress.done, of: progress.total)
        case .applying: show("Applying", done: progress.done, of: progress.total)
        case .waiting: wait(progress.failure.map(Self.waiting) ?? "No answer yet; asking the service again")
        }
    }

    /// What is waited for, and why.
    ///
    ///     Offline: No connection to example.org. Nobody answers there. Asking the service again
    static func waiting(_ failure: SyncFailure) -> String {
        let state = failure.kind == .offline ? "Offline: " : ""
        return "\(state)\(PlainText.foreign(failure.message)) Asking the service again"
    }
}
