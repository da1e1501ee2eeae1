// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What became of a transaction that was sent.
package enum TransactionOutcome: Hashable, Sendable {
    /// The server applied it. `rows` holds what it answered, for the changes that it answered with an entity.
    case accepted(number: Int64, rows: [AcceptedRow])
    /// A rule, policy, constraint or limit refused it: to the quarantine, its dependants too.
    case refused(number: Int64, code: String, message: String, status: Int)
    /// A row was changed or deleted on the server meanwhile (412): merged with `current`, and pending again under a
    /// new number. Rows that are not in `current` are taken as unchanged.
    ///
    /// With a refusal: a row that it inserts is there (409). Where it is the same one, that is left out; where meeting
    /// the rows changes nothing, the transaction was refused.
    case conflict(number: Int64, current: [RemoteRow], refusal: Refusal? = nil)
    /// The server did not execute it, through no fault of its own (424): pending again under a new number.
    case again(number: Int64)
    /// No decision: it stays frozen, and is sent again as it is; a failure is the service's at this transaction itself.
    case unknown(number: Int64, isFailure: Bool = false)

    /// What the server said of a transaction that it refused.
    package struct Refusal: Hashable, Sendable {
        package var code: String
        package var message: String
        package var status: Int

        package init(code: String, message: String, status: Int) {
            (self.code, self.message, self.status) = (code, message, status)
        }
    }
}

/// A row of an accepted transaction as the server has it now.
package struct AcceptedRow: Hashable, Sendable {
    /// The place of the change in the transaction.
    package var place: Int
    /// The key on the server, which differs from the local one where that was temporary; `nil` when the server answered
    /// with no content, as for a row that is gone by the end of the transaction.
    package var key: Key?
    package var etag: ETag?
    /// The values in the order of the entity type's properties (those of local-only properties do not count), or `nil`
    /// when the server answered with no content.
    package var values: [Value]?
    /// Whether the row is outside of the subscription now: it is dropped.
    package var leavesScope: Bool

    package init(place: Int, key: Key?, etag: ETag?, values: [Value]?, leavesScope: Bool = false) {
        self.place = place
        self.key = key
        self.etag = etag
        self.values = values
        self.leavesScope = leavesScope
    }
}

/// A row as the server has it, or its absence.
package struct RemoteRow: Hashable, Sendable {
    package var set: String
    package var key: Key
    package var etag: ETag?
    /// The values in the order of the entity type's properties, or `nil` when the server has no such row.
    package var values: [Value]?
    /// The properties of which the server has a value that is none of their type, and told as null.
    package var unread: Set<Int> = []
    /// The properties that the server has of the row, where it has no others than the device; `nil` where that is not known.
    package var served: Set<Int>?

    package init(set: String, key: Key, etag: ETag?, values: [Value]?) {
        self.set = set
        self.key = key
        self.etag = etag
        self.values = values
    }
}
