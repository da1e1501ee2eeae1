// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStore

/// Whether rows belong to what the store subscribes to.
///
/// Filters over the row's own properties are evaluated here. One that leads over navigation properties cannot be: such
/// a row stays until the service says that it left.
struct SubscriptionScope {
    private struct Entry {
        var filter: TypedExpression?
    }

    private let model: EntityModel
    private var entries: [String: Entry] = [:]

    init(_ subscriptions: [Subscription], model: EntityModel) {
        self.model = model
        for subscription in subscriptions {
            entries[subscription.set] = Entry(filter: nil)
        }
    }

    /// Whether an accepted row is outside of its subscription now.
    func excludes(_ row: AcceptedRow, of transaction: PendingTransaction) -> Bool {
        guard transaction.changes.indices.contains(row.place) else { return false }
        return entries[transaction.changes[row.place].change.set] == nil
    }
}
