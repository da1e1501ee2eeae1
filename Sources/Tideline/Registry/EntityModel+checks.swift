// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension EntityModel {
    /// Whether the rules and the calculated properties of all entities name what is there, and have their types.
    ///
    /// - Throws: ``ModelClash`` that names the set, and the calculated property or a property that a rule marks.
    func checkExpressions() throws(ModelClash) {
        for set in sets {
            let checker = ExpressionChecker(model: self, set: set)
            for calculated in set.type.calculatedProperties {
                let name = calculated.names.wire
                do throws(ExpressionError) {
                    _ = try checker.check(.path([name]))
                } catch {
                    throw ModelClash(
                        set: set.names.wire,
                        property: name,
                        message: "\(set.names.wire).\(name) cannot be calculated: \(error.message)"
                    )
                }
            }
            for rule in set.type.rules {
                do throws(ExpressionError) {
                    _ = try checker.condition(rule.condition)
                } catch {
                    throw ModelClash(
                        set: set.names.wire,
                        message: "The rule \(rule.name) of \(set.names.wire) cannot be checked: \(error.message)"
                    )
                }
                for name in rule.properties where set.type.propertyIndex(wire: name) == nil {
                    throw ModelClash(
                        set: set.names.wire,
                        property: name,
                        message:
                            "The rule \(rule.name) marks \(name), which is no stored property of \(set.names.wire)."
                    )
                }
            }
        }
    }
}
