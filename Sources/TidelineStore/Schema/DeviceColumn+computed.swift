// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension DeviceColumn {
    /// How a value that a statement computes is read: as ``SQLFunction`` says computed values are.
    ///
    /// - Parameter name: what it is called in errors.
    init(computed name: String, _ type: PrimitiveType) {
        let property = Property(names: Names(wire: name), type: type, isNullable: true)
        self.init(property, place: 0, isKey: false, form: type.computedForm)
    }
}

extension PrimitiveType {
    fileprivate var computedForm: DeviceColumn.Form? {
        switch self {
        case .timeOfDay: .computedTime
        case .duration: .computedDuration
        default: nil
        }
    }
}

extension SetLayout {
    /// How the columns of a plan are read: those of its properties, then those of its computed values.
    func columns(of plan: ReadPlan) -> [DeviceColumn] {
        plan.columns.map { columns[$0] }
            + plan.computed.enumerated().map { place, expression in
                let name = place < plan.computedNames.count ? plan.computedNames[place] : "computed value \(place + 1)"
                return DeviceColumn(computed: name, expression.type ?? .string)
            }
    }
}

extension Entity {
    /// The plan for the entity of a key, its calculated properties included.
    static func plan(key: Key, _ set: EntitySet, _ model: EntityModel) throws -> ReadPlan {
        let conditions = zip(set.type.key, key.values).map { place, value in
            Expression.binary(.equal, .path([set.type.properties[place].names.wire]), .literal(value))
        }
        // The file's model may know nothing of what the source calculates.
        var (sets, set) = (model.sets, set)
        let own = entitySet.type.calculatedProperties
        set.type.calculatedProperties.removeAll { known in own.contains { $0.names.wire == known.names.wire } }
        set.type.calculatedProperties += own
        if let place = model.setIndex(wire: set.names.wire) { sets[place] = set }
        let model = model.replacing(sets: sets)
        let checker = ExpressionChecker(model: model, set: set)
        var plan = ReadPlan(model: model, set: set, includesETag: false)
        plan.filter = try checker.condition(conditions.dropFirst().reduce(conditions[0]) { .binary(.and, $0, $1) })
        plan.computedNames = entitySet.type.calculatedProperties.map(\.names.wire)
        plan.computed = try plan.computedNames.map { try checker.check(.path([$0])) }
        return plan
    }
}
