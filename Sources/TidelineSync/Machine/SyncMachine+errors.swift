// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a sync is given up.
extension SyncMachine {
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
