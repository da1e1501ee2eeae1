// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Plans of `$apply`.
extension Planner {
    /// The plan of `$apply`, behind the policies of the set and of all that its paths and joins enter.
    ///
    /// - Parameter keepsEntities: whether the result are entities, to be read as a ``TidelineStorage/RowSource``.
    func aggregation(
        _ transformations: [Transformation],
        over collection: Resource.Collection,
        for user: UserContext,
        keepsEntities: Bool = false
    ) throws(ODataError) -> AggregationPlan {
        let set = collection.set
        let policy = try visibility(set, user)
        var plan = try Self.named { () throws(ExpressionError) in
            try AggregationPlanner.plan(
                transformations,
                over: set,
                as: collection.derivedType,
                in: model,
                filter: Fence(policy: policy).filter(collection.restriction),
                user: user,
                guards: guards(user),
                keepsEntities: keepsEntities
            )
        }
        for name in plan.joined.values { if let set = model[set: name] { _ = try visibility(set, user) } }
        plan.source = collection.source
        let isGuarded = policy != nil || !policies.isOpen && plan.steps.contains(where: \.joins)
        plan.isFenced = isGuarded && !plan.steps.allSatisfy(\.isHarmless)
        return plan
    }

    private func guards(_ user: UserContext) -> AggregationGuards {
        if policies.isOpen { return .none }
        let guarding = Guarding(model: model, policies: policies, user: user)
        return AggregationGuards(
            guarded: { guarding.guarded($0, $1) },
            visible: { set, wish in
                Fence(policy: policies.access(.read, to: set.names.wire, for: user).condition).filter(wish)
            }
        )
    }

    /// What a body of the planner makes; its errors as those of the request.
    static func named<Result>(
        _ body: () throws(ExpressionError) -> Result
    ) throws(ODataError) -> Result {
        do throws(ExpressionError) {
            return try body()
        } catch {
            let code = error.code == .unsupported ? ODataError.Code.notSupported : .invalidQueryOption
            throw ODataError(code, error.message, target: error.target ?? "$apply")
        }
    }
}

extension AggregationPlan.Step {
    /// Whether it leads to other entities.
    fileprivate var joins: Bool {
        switch self {
        case .join: true
        case .concat(let branches, _): branches.contains { $0.steps.contains(where: \.joins) }
        case .filter, .project, .cross, .compute, .group, .order, .rank: false
        }
    }
}
