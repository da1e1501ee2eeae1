// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// When a sync is given up, and why.
extension SyncMachine {
    /// The most batches in a row that end with a conflict and get nothing decided, the most reloads, and the most times that
    /// another sync of the store comes between.
    ///
    /// One conflict may hide the next: of transactions that build on each other one may be decided a batch.
    static let mostRounds = 8

    static let keepsChanging = SyncError(
        .keepsChanging,
        "Rows were changed on the service each time before their changes arrived.",
        advice: "Sync again; the changes made here are kept."
    )
    static let keepsExpiring = SyncError(
        .keepsExpiring,
        "The service takes its delta links back at once.",
        advice: "Sync again later; tell the administrator of the service if it stays."
    )
    /// - Parameter reason: what the service said of it.
    static func noDecision(_ reason: String?) -> SyncError {
        SyncError(
            .unexpectedAnswer,
            "The service did not decide every transaction\(reason.map { ": \($0)" } ?? ".")",
            advice:
                "Sync again later, and tell the administrator of the service if it stays; the changes made here are "
                + "kept."
        )
    }
}
