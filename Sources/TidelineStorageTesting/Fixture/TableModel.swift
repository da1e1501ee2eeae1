// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What tables are made from in the tests of the stores that make them.
package enum TableModel {
    /// A model with all that tables can say.
    package static var model: EntityModel {
        func property(_ wire: String, _ type: PrimitiveType, isNullable: Bool = true) -> Property {
            Property(names: Names(wire: wire), type: type, isNullable: isNullable)
        }
        var name = property("Name", .string, isNullable: false)
        name.maxLength = 80
        let clients = EntitySet(
            names: Names(wire: "Clients"),
            type: EntityType(
                names: Names(wire: "Client"),
                properties: [
                    property("Id", .guid, isNullable: false), name, property("Photo", .binary),
                    property("Weight", .double),
                ],
                key: [0]
            )
        )
        var id = property("OrderId", .int32, isNullable: false)
        id.generation = .onInsert
        var number = property("Number", .string, isNullable: false)
        number.maxLength = 10
        var total = property("Total", .decimal, isNullable: false)
        (total.precision, total.scale, total.defaultValue) = (10, 2, .decimal(EdmDecimal(coefficient: 150, scale: 2)))
        var exact = property("Exact", .decimal)
        (exact.precision, exact.scale) = (30, 10)
        var count = property("Count", .int32, isNullable: false)
        (count.minimum, count.maximum, count.defaultValue) = (.integer(1), .integer(99), .integer(1))
        var placed = property("Placed", .dateTimeOffset)
        placed.precision = 0
        var at = property("At", .timeOfDay)
        at.precision = 0
        var open = property("Open", .boolean, isNullable: false)
        open.defaultValue = .boolean(true)
        let orders = EntitySet(
            names: Names(wire: "Orders"),
            type: EntityType(
                names: Names(wire: "Order"),
                properties: [
                    id, number, total, exact, count, placed, property("Day", .date), at, open,
                    property("ClientId", .guid, isNullable: false), property("ParentId", .int32),
                    property("Small", .int16), property("Big", .int64),
                ],
                key: [0],
                uniqueKeys: [[1]],
                navigationProperties: [
                    reference("Client", to: "Clients", from: 9, .cascade),
                    reference("Parent", to: "Orders", from: 10, .setNull),
                ]
            )
        )
        let lines = EntitySet(
            names: Names(wire: "Lines"),
            type: EntityType(
                names: Names(wire: "Line"),
                properties: [
                    property("OrderId", .int32, isNullable: false), property("Place", .int16, isNullable: false),
                    property("Note", .string),
                ],
                key: [0, 1],
                navigationProperties: [reference("Order", to: "Orders", from: 0, .cascade)]
            )
        )
        return EntityModel(namespace: "Shop", sets: [clients, lines, orders])
    }

    private static func reference(
        _ wire: String,
        to set: String,
        from source: Int,
        _ rule: NavigationProperty.DeleteRule
    ) -> NavigationProperty {
        NavigationProperty(
            names: Names(wire: wire),
            targetSet: set,
            isCollection: false,
            isDependent: true,
            constraints: [.init(source: source, target: 0)],
            onDelete: rule
        )
    }

    /// What a table can say of a model, a line each; the names of relationships are no part of it.
    package static func lines(_ model: EntityModel) -> [String] {
        model.sets.sorted { $0.names.wire < $1.names.wire }.flatMap { set -> [String] in
            let type = set.type
            let properties = type.properties.map { property in
                "\(set.names.wire).\(property.names.wire) \(property.type.rawValue) \(property.isNullable) "
                    + "\(property.maxLength ?? -1) \(property.precision ?? -1) \(property.scale ?? -1) \(property.storage.rawValue) "
                    + "\(property.defaultValue?.text ?? "-") \(property.generation.rawValue) "
                    + "\(property.minimum?.text ?? "-") \(property.maximum?.text ?? "-")"
            }
            let references = type.navigationProperties.filter(\.isDependent).map { navigation in
                "\(set.names.wire) \(navigation.constraints.map(\.source)) to \(navigation.targetSet) "
                    + "\(navigation.constraints.map(\.target)) \(navigation.onDelete.rawValue)"
            }
            return ["\(set.names.wire) key \(type.key) unique \(type.uniqueKeys)"] + properties + references.sorted()
        }
    }
}
