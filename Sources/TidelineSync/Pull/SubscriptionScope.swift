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
    /// The filters by set; a set that is not subscribed has no entry.
    private var filters: [String: TypedExpression?] = [:]

    init(_ subscriptions: [Subscription], model: EntityModel) {
        for subscription in subscriptions {
            var filter: TypedExpression?
            if let text = subscription.filter, let set = model[set: subscription.set],
                let expression = try? ExpressionParser.parse(text)
            {
                filter = try? ExpressionChecker(model: model, set: set).condition(expression)
            }
            filters[subscription.set] = .some(filter)
        }
    }

    /// Whether an accepted row is outside of its subscription now.
    func excludes(_ row: AcceptedRow, of transaction: PendingTransaction) -> Bool {
        guard transaction.changes.indices.contains(row.place),
            let filter = filters[transaction.changes[row.place].change.set]
        else { return true }
        guard let filter, let values = row.values, !Self.leadsAway(filter) else { return false }
        return (try? ExpressionEvaluator(source: EntitySource(values)).isTrue(filter)) == false
    }

    /// Whether an expression looks at other rows, at the user or at the time.
    private static func leadsAway(_ expression: TypedExpression) -> Bool {
        !expression.isTrackable || expression.dependsOnUser || expression.paths.contains { !$0.navigations.isEmpty }
    }
}
