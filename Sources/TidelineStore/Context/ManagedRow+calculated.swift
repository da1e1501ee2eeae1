// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A calculated property, ready to be evaluated over objects.
struct Calculation {
    let expression: TypedExpression
    /// The places of the sets that it reads, the object's own among them.
    let reads: [Int]
}

/// Calculated properties, over the objects and relationships as they stand in the context.
extension ManagedRow {
    /// The value, or that of before where the property is cached and nothing that it reads has changed since.
    func value(of property: CalculatedProperty) throws -> Value {
        let context = try currentContext()
        let name = property.names.wire
        let calculation = try context.calculation(property, self.set)
        let editions = calculation.reads.map { context.editions[$0] }
        if property.isCached, let known = calculated[name], known.editions == editions { return known.value }
        let found = try ContextEvaluation(context).value(of: calculation.expression, self)
        let value = found.promoted(to: property.type) ?? .null
        // Reading may have brought news of the sets: what was computed before them is computed again.
        if property.isCached, editions == calculation.reads.map({ context.editions[$0] }) {
            calculated[name] = (value, editions)
        }
        return value
    }
}

extension EditingContext {
    func calculation(_ property: CalculatedProperty, _ set: ContextSet) throws -> Calculation {
        let name = "\(set.name)/\(property.names.wire)"
        if let known = calculations[name] { return known }
        let expression = try ExpressionChecker(model: model, set: set.layout.set).check(property.expression)
        var plan = ReadPlan(model: model, set: set.layout.set)
        plan.computed = [expression]
        let reads = store.layout.related(plan).union([set.index])
        let calculation = Calculation(expression: expression, reads: reads.sorted())
        calculations[name] = calculation
        return calculation
    }
}
