// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Plans of `$apply`.
extension Planner {
    /// The plan of `$apply`, behind the policies of the set and of all that its paths enter.
    func aggregation(
        _ transformations: [Transformation],
        over collection: Resource.Collection,
        for user: UserContext
    ) throws(ODataError) -> AggregationPlan {
        let set = collection.set
        let policy = try visibility(set, user)
        do throws(ExpressionError) {
            var plan = try AggregationPlanner.plan(
                transformations,
                over: set,
                in: model,
                filter: Fence(policy: policy).filter(collection.restriction),
                user: user,
                guarded: { guarded($0, over: set, user) }
            )
            plan.isFenced = policy != nil && !plan.steps.allSatisfy(\.isHarmless)
            return plan
        } catch {
            let code = error.code == .unsupported ? ODataError.Code.notSupported : .invalidQueryOption
            throw ODataError(code, error.message, target: error.target ?? "$apply")
        }
    }
}
