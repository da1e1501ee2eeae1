// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

extension SyncEngine {
    /// Waits until both sides have what the other had: everything committed here up to the call is decided by the
    /// service, and everything that the service had at some moment after the call is in the store.
    ///
    ///     try await engine.barrier()      // now the report on the server shows what was entered here
    ///
    /// When a sync is under way, it is awaited, and another follows: it may have read the service's changes before the
    /// call. What is written during the barrier may go along or wait for the next sync.
    ///
    /// - Returns: what the sync did.
    /// - Throws: ``SyncError/Code/quarantined`` when transactions are in quarantine, with a list of them; what a sync
    ///   throws, such as a ``ClientError`` without a connection. Nothing is lost then.
    @discardableResult
    public func barrier() async throws -> SyncReport {
        let report = try await syncAfresh()
        let refused = try await store.perform { try $0.quarantined() }
        guard let first = refused.first else { return report }
        let count = refused.count == 1 ? "1 transaction is" : "\(refused.count) transactions are"
        var error = SyncError(
            .quarantined,
            "\(count) in quarantine: \(first.message)",
            advice: "Put right, retry or discard what is in quarantine."
        )
        error.quarantined = refused
        throw error
    }
}
