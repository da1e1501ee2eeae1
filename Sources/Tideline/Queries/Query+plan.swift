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
        let set = try Result.entitySet(in: model)
        let checker = ExpressionChecker(model: model, set: set)
        return ReadPlan(
            model: model,
            set: set,
            filter: try filter.map { try checker.condition($0) },
            orderBy: try order.map {
                ReadPlan.SortKey(try checker.check($0.expression), isDescending: $0.isDescending)
            },
            skip: skip,
            top: top,
            columns: try Result.columns(in: set),
            includesETag: false
        )
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
