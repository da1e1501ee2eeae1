// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore

/// A failure of the service at one transaction, which it may meet each time: no decision, and yet what waits behind it
/// cannot wait for ever.
struct TransactionFailure {
    /// How often in a row the service may fail of a transaction, before a person looks at it.
    static let most = 3

    private let error: ClientError

    /// - Parameter isWell: whether the service can read its database.
    /// - Returns: `nil` where the answer says nothing of the transaction itself: the service is busy, or it fails of all.
    init?(_ error: ClientError, isWell: Bool) {
        let isTimeout = error.service?.code == Self.statementTimeout
        guard isTimeout || isWell && error.status == 500 else { return nil }
        self.error = error
    }

    /// How the service of Tideline says that it gave a statement up.
    private static let statementTimeout = "StatementTimeout"

    /// How long to wait before the next try: what passes in a moment is not to use up all of them.
    ///
    /// At its limit of time the service has taken long enough. This counts for the patience of a sync, so that in one of
    /// them only few transactions are given up where the service is ill and not they.
    var pause: Duration { error.service?.code == Self.statementTimeout ? .zero : .seconds(3) }

    /// What is told of it in the quarantine.
    ///
    /// What a service says of a failure of its own names no row, but the place in its log where more is told.
    ///
    /// - Parameter pending: the change that was answered so.
    func refusal(of pending: PendingChange, _ model: EntityModel) -> TransactionOutcome.Refusal {
        let status = error.status ?? 500
        if let service = error.service, service.code == Self.statementTimeout {
            return .init(code: service.code, message: service.message, status: status)
        }
        let change = pending.change
        var row = change.set
        // The key of a row that the service is to make says nothing to anybody but this device.
        if !pending.hasTemporaryKey, let set = model[set: change.set] {
            row += ResourceURL.predicate(change.key, type: set.type)
        }
        return .init(code: error.service?.code ?? "InternalError", message: "\(row): \(error.message)", status: status)
    }
}
