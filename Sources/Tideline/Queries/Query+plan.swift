// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

extension Query {
    /// The plan that carries the query out over a model.
    ///
    /// - Throws: ``LocalStoreError`` when the model lacks the set or a property, or gives a property another type; what
    ///   the checker throws for a predicate that the model refuses.
    func plan(over model: EntityModel) throws -> ReadPlan {
        let checker = try checker(over: model)
        var plan = try plan(checker)
        plan.columns = try Result.columns(in: checker.set)
        plan.computedNames = Result.calculatedNames
        plan.computed = try plan.computedNames.map { try checker.check(.path([$0])) }
        return plan
    }

    /// What checks the expressions of the query: it knows the calculated properties.
    func checker(over model: EntityModel) throws -> ExpressionChecker {
        let model = Result.calculating(model)
        return ExpressionChecker(model: model, set: try Result.entitySet(in: model))
    }

    /// The plan without anything to read.
    func plan(_ checker: ExpressionChecker) throws -> ReadPlan {
        var plan = ReadPlan(
            model: checker.model,
            set: checker.set,
            filter: try condition(checker),
            orderBy: try order.map {
                ReadPlan.SortKey(
                    try checker.check($0.expression),
                    isDescending: $0.isDescending,
                    collation: $0.collation
                )
            },
            skip: skip,
            top: top,
            columns: [],
            includesETag: false
        )
        plan.conditions = conditions
        return plan
    }

    /// What the entities satisfy, or `nil` for all.
    func condition(_ checker: ExpressionChecker) throws -> TypedExpression? {
        var condition = try filter.map { try checker.condition($0) }
        for search in searches {
            let found = try search.condition(over: checker.set)
            condition = condition.map { TypedExpression(node: .binary(.and, $0, found), type: .boolean) } ?? found
        }
        return condition
    }
}

extension Queryable {
    /// The set of this entity in a model.
    static func entitySet(in model: EntityModel) throws -> EntitySet {
        guard let set = model[set: entityDescription.set] else {
            throw LocalStoreError(
                .unknownSet,
                set: entityDescription.set,
                message: "The store has no entity set \(entityDescription.set); \(Self.self) cannot be used with it."
            )
        }
        return set
    }

    /// The places of this entity's properties in a set of a model, in their order.
    static func columns(in set: EntitySet) throws -> [Int] {
        try entityDescription.properties.map { description in
            let wanted = description.property
            guard let place = set.type.propertyIndex(wire: wanted.names.wire) else {
                throw LocalStoreError(
                    .unknownProperty,
                    set: set.names.wire,
                    properties: [wanted.names.wire],
                    message: "\(set.names.wire) has no property \(wanted.names.wire), which \(Self.self) has."
                )
            }
            let found = set.type.properties[place].type
            guard found.isReadable(as: wanted.type) else {
                throw LocalStoreError(
                    .invalidValue,
                    set: set.names.wire,
                    properties: [wanted.names.wire],
                    message: "\(set.names.wire).\(wanted.names.wire) is \(found.rawValue), "
                        + "but \(Self.self).\(wanted.names.code) is \(wanted.type.rawValue)."
                )
            }
            return place
        }
    }
}

extension PrimitiveType {
    /// Whether a value of this type can be read as another: the same, or another width of the same family.
    fileprivate func isReadable(as other: PrimitiveType) -> Bool {
        self == other || (integerRange != nil && other.integerRange != nil)
            || ([.double, .single].contains(self) && [.double, .single].contains(other))
    }
}
