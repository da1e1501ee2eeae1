// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What the sync engine asks of a store. All synchronous; ``perform(_:)`` takes them off the cooperative pool.
extension LocalStore {
    /// Runs blocking work of this store on a thread of its own.
    package func perform<Result: Sendable>(
        _ body: @escaping @Sendable (LocalStore) throws -> Result
    ) async throws -> Result {
        try body(self)
    }

    /// Who this store is to its server. A copied file is noticed when the store is opened.
    package func identity() throws -> StoreIdentity { throw LocalStoreError(.unsupported, message: "") }

    /// Changes the service or the user that the store belongs to.
    package func setOrigin(_ origin: StoreOrigin) throws { throw LocalStoreError(.unsupported, message: "") }

    /// The transactions that wait, in order: those that were sent first as they were sent.
    ///
    /// - Parameters:
    ///   - limit: the most transactions.
    ///   - bytes: the most bytes of outbox record together; at least one transaction is returned if there is one.
    package func pendingTransactions(limit: Int = .max, bytes: Int = .max) throws -> [PendingTransaction] {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Keeps the exact bytes of groups before they are sent, durably. Their transactions change no more.
    package func freeze(_ groups: [FrozenGroup]) throws { throw LocalStoreError(.unsupported, message: "") }

    /// Stores what became of sent transactions, in one local transaction, durably.
    ///
    /// Outcomes stand in the order of their numbers. Live results see the effect.
    @discardableResult
    package func settle(_ outcomes: [TransactionOutcome]) throws -> SettleReport {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Begins the load of a set into a hidden table; a load that was begun before is forgotten.
    ///
    /// - Parameter columns: the places of the properties that will be pushed, in order; `nil` for all that travel
    ///   (``LocalStore/travellingColumns(of:)``).
    package func beginLoad(set: String, columns: [Int]? = nil) throws -> LoadSink {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Begins staging changes of a set; what was staged before for it is forgotten.
    package func stage(set: String, columns: [Int]? = nil) throws -> DeltaSink {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Makes a checkpoint the state of the store, in one local transaction: loads renamed into place, staged rows
    /// applied, rows with pending changes rebased, links stored. Nothing of it is captured in the outbox.
    package func apply(_ checkpoint: Checkpoint) throws -> ApplyReport {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// What the store holds of its sets, in the order of the model.
    package func subscriptions() throws -> [Subscription] { throw LocalStoreError(.unsupported, message: "") }

    /// Replaces the subscriptions. A set whose filter or properties changed loses its delta link; the rows of a set
    /// that is no longer among them are dropped, except those with changes that wait.
    package func setSubscriptions(_ subscriptions: [Subscription]) throws {
        throw LocalStoreError(.unsupported, message: "")
    }

    /// Forgets the delta links of sets, so that they are loaded anew (410 Gone). Rows and outbox stay.
    package func forgetDeltaLinks(of sets: Set<String>) throws { throw LocalStoreError(.unsupported, message: "") }

    /// The places of the properties of a set that cross the wire, in order.
    package func travellingColumns(of set: String) -> [Int] { [] }

    /// The version of each row of a set, in key order, for comparison with the server.
    ///
    /// - Parameter receive: gets the key, the version last seen from the server (`nil` for a row never seen there), and
    ///   whether changes of the row wait or are quarantined.
    package func versions(of set: String, _ receive: (Key, ETag?, Bool) throws -> Void) throws {
        throw LocalStoreError(.unsupported, message: "")
    }
}
