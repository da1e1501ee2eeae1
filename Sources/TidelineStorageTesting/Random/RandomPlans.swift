// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Makes read plans over a model.
struct RandomPlans {
    let dice: Dice
    let expressions: RandomExpressions
    let model: EntityModel

    init(dice: Dice, model: EntityModel) {
        self.dice = dice
        self.model = model
        expressions = RandomExpressions(dice: dice, model: model)
    }

    /// A plan with pages, expansions and all.
    func plan() -> ReadPlan {
        var plan = plan(dice.pick(model.sets), depth: 2)
        switch dice.below(4) {
        case 0: plan.pageLimit.rows = dice.number(1...4)
        case 1: plan.pageLimit.bytes = dice.number(1...120)
        default: break
        }
        return plan
    }

    private func plan(_ set: EntitySet, depth: Int) -> ReadPlan {
        let places = dice.shuffled(Array(set.type.properties.indices))
        var plan = ReadPlan(
            model: model,
            set: set,
            filter: dice.chance(3, in: 4) ? condition(set) : nil,
            orderBy: (0..<dice.below(4)).compactMap { _ in sortKey(set) },
            columns: dice.chance(1, in: 3) ? nil : Array(places.prefix(dice.number(0...places.count))),
            includesETag: dice.chance(2, in: 3)
        )
        if dice.chance(1, in: 4) { plan.skip = dice.below(4) }
        if dice.chance(1, in: 3) { plan.top = dice.below(7) }
        guard depth > 0 else { return plan }
        let navigations = dice.shuffled(Array(set.type.navigationProperties.indices)).prefix(dice.below(3))
        plan.expansions = navigations.compactMap { place in
            model[set: set.type.navigationProperties[place].targetSet].map { target in
                var inner = self.plan(target, depth: depth - 1)
                if dice.chance(1, in: 3) { inner.pageLimit.rows = dice.number(1...3) }
                return ReadPlan.Expansion(navigation: place, plan: inner, includesCount: dice.chance(1, in: 2))
            }
        }
        return plan
    }

    /// A condition that the checker takes.
    func condition(_ set: EntitySet) -> TypedExpression? {
        let checker = ExpressionChecker(model: model, set: set)
        for _ in 0..<20 {
            let expression = expressions.condition(.init(set: set), depth: dice.number(0...3))
            if let typed = try? checker.condition(expression) { return typed }
        }
        return nil
    }

    private func sortKey(_ set: EntitySet) -> ReadPlan.SortKey? {
        let scope = RandomExpressions.Scope(set: set)
        let expression =
            dice.chance(2, in: 3)
            ? expressions.anything(scope)
            : expressions.value(dice.pick([.int32, .decimal, .double, .string, .date, .duration]), scope, 2)
        guard let typed = try? ExpressionChecker(model: model, set: set).check(expression) else { return nil }
        if case .literal = typed.node { return nil }
        return ReadPlan.SortKey(typed, isDescending: dice.chance(1, in: 2))
    }
}
