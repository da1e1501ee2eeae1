// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Plans of cross joins.
extension Planner {
    /// The plan of a cross join, behind the policies of all sets and of what paths enter.
    func cross(_ sets: [EntitySet], _ options: QueryOptions, for user: UserContext) throws(ODataError)
        -> AggregationPlan
    {
        var policies: [TypedExpression?] = []
        for set in sets { policies.append(try visibility(set, user)) }
        var cross = AggregationPlanner.Cross(sets, policies: policies)
        if let transformations = options.apply {
            cross.transformations = transformations + options.afterApply
        } else {
            cross.filter = options.filter
            cross.orderBy = options.orderBy
        }
        let fence = Fence(policy: cross.policy)
        do throws(ExpressionError) {
            var plan = try AggregationPlanner.plan(
                cross,
                in: model,
                user: user,
                filtering: { fence.inside(policiesGuarded($0, sets, user)) },
                valuing: { fence.value(policiesGuarded($0, sets, user)) }
            )
            plan.isFenced = cross.policy != nil && !plan.steps.dropFirst().allSatisfy(\.isHarmless)
            return plan
        } catch {
            throw ODataError(
                error.code == .unsupported ? .notSupported : .invalidFilter,
                error.message,
                target: error.target
            )
        }
    }

    private func policiesGuarded(
        _ expression: TypedExpression,
        _ sets: [EntitySet],
        _ user: UserContext
    ) -> TypedExpression {
        if policies.isOpen { return expression }
        return Guarding(model: model, policies: policies, user: user).guarded(expression, sets)
    }
}
