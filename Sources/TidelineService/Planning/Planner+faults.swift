// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Requests that fail because they divide an integer by a zero in the data.
///
/// Databases give null there, see ``TidelineModel/ExpressionEvaluator``. Where an expression can divide by a property,
/// the rows of the request, and no others, are asked first whether one does: see ``TidelineModel/TypedExpression/fault``.
extension Planner {
    /// For which rows of a plan evaluating its expressions divides by zero; `nil` where none can.
    func fault(
        _ plan: ReadPlan,
        asking wish: TypedExpression?,
        _ expansions: [Expander.Expansion]
    ) throws(ODataError) -> TypedExpression? {
        var inside: TypedExpression?
        for value in plan.orderBy.map(\.expression) + plan.computed { inside = .either(inside, value.fault) }
        for expansion in expansions {
            guard let fault = expansion.fault else { continue }
            let way = TypedExpression.Way(
                navigations: [expansion.plan.navigation],
                guards: [expansion.policy],
                linkGuards: [expansion.plan.linkFilter]
            )
            inside = .either(inside, TypedExpression(node: .lambda(.any, .entities(way), fault), type: .boolean))
        }
        let fault = TypedExpression.either(wish?.fault, inside.map { wish?.and($0) ?? $0 })
        guard let fault else { return nil }
        guard fault.hasParts(atMost: Self.faultLimit) else {
            throw ODataError(.tooComplex, "The request divides by too many properties.", target: "div")
        }
        return fault
    }

    /// Each division brings a copy of the conditions beside it.
    private static let faultLimit = 1_500
}

extension ReadHandler {
    /// Refuses a query for which an integer is divided by zero.
    ///
    /// Source: OData URL Conventions 4.01, section 5.1.1.2.
    func refuseFaults(_ query: Query) throws {
        guard let fault = query.fault else { return }
        var plan = ReadPlan(
            model: core.planner.model,
            set: query.plan.set,
            filter: Fence(policy: query.policy).filter(.all(query.restriction, fault)),
            top: 1,
            columns: query.plan.set.type.key,
            includesETag: false,
            user: call.user
        )
        plan.source = query.plan.source
        guard try reader.read(plan, into: KeySink(plan.set.type)).rows > 0 else { return }
        throw ODataError(.invalidQueryOption, "An integer is divided by zero.", target: "div")
    }
}
