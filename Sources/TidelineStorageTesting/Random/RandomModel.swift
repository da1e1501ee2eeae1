// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes a model: some sets with keys of several types, properties of all types, references to each other and to
/// themselves.
struct RandomModel {
    let dice: Dice
    /// Whether properties get storage forms other than the natural one.
    let usesForms: Bool

    private static let keyTypes: [PrimitiveType] = [.int32, .int64, .int32, .string, .guid, .date, .decimal, .int16]
    private static let types: [PrimitiveType] = [
        .binary, .boolean, .byte, .date, .dateTimeOffset, .decimal, .double, .duration, .guid, .int16, .int32, .int64,
        .sbyte, .single, .string, .string, .timeOfDay, .int32, .decimal,
    ]

    func make() -> EntityModel {
        var types = (0..<dice.number(2...4)).map(type)
        for place in types.indices {
            for number in 0..<dice.below(3) { connect(place, dice.below(place + 1), number, &types) }
        }
        for place in types.indices { link(place, &types) }
        return EntityModel(
            namespace: "Random",
            sets: types.enumerated().map { place, type in
                EntitySet(names: Names(wire: "S\(place)", database: "s\(place)"), type: type)
            }
        )
    }

    private func type(_ place: Int) -> EntityType {
        let keys = (0..<(dice.chance(1, in: 3) ? 2 : 1)).map {
            property("K\($0)", dice.pick(Self.keyTypes), isKey: true)
        }
        let others = (0..<dice.number(3...8)).map { property("P\($0)", dice.pick(Self.types), isKey: false) }
        // The key stands anywhere.
        let properties = dice.shuffled(keys + others)
        let key = keys.compactMap { key in properties.firstIndex { $0.names.wire == key.names.wire } }
        return EntityType(names: Names(wire: "T\(place)"), properties: properties, key: key)
    }

    private func property(_ name: String, _ type: PrimitiveType, isKey: Bool) -> Property {
        var property = Property(
            names: Names(wire: name, database: "c_" + name.lowercased()),
            type: type,
            isNullable: !isKey && dice.chance(3, in: 4)
        )
        switch type {
        case .decimal: (property.precision, property.scale) = (12, isKey ? 1 : dice.pick([0, 2, 4]))
        case .timeOfDay, .dateTimeOffset: property.precision = 3
        default: break
        }
        if usesForms { property.storage = form(of: type) }
        if property.storage == .unixSeconds, type == .dateTimeOffset { property.precision = 0 }
        return property
    }

    private func form(of type: PrimitiveType) -> StorageForm {
        switch type {
        case .decimal: dice.pick([.native, .decimalText, .decimalScaled])
        case .guid: dice.pick([.native, .guidBlob, .guidUpper])
        case .date: dice.pick([.native, .unixSeconds])
        case .dateTimeOffset: dice.pick([.native, .unixSeconds, .unixMilliseconds, .sqlText, .julianDay])
        case .boolean: dice.pick([.native, .booleanText])
        default: .native
        }
    }

    /// Makes two references of a set a many-to-many relation of what they lead to.
    private func link(_ place: Int, _ types: inout [EntityType]) {
        let references = types[place].navigationProperties.filter(\.isDependent)
        guard references.count == 2 else { return }
        for (owner, target) in [(references[0], references[1]), (references[1], references[0])] {
            guard let source = types.indices.first(where: { "S\($0)" == owner.targetSet }) else { continue }
            var property = NavigationProperty(
                names: Names(wire: "Many\(place)\(owner.names.wire)"),
                targetSet: target.targetSet,
                isCollection: true,
                isDependent: false,
                constraints: [],
                partner: "Many\(place)\(target.names.wire)"
            )
            property.link = LinkTable(set: "S\(place)", toOwner: owner.names.wire, toTarget: target.names.wire)
            types[source].navigationProperties.append(property)
        }
    }

    /// Adds a foreign key from one set to another, and both navigation properties.
    private func connect(_ source: Int, _ target: Int, _ number: Int, _ types: inout [EntityType]) {
        let isNullable = source == target || dice.chance(3, in: 4)
        var pairs: [NavigationProperty.Constraint] = []
        for (part, place) in types[target].key.enumerated() {
            var property = types[target].properties[place]
            property.names = Names(wire: "F\(number)\(part)", database: "c_f\(number)\(part)")
            property.isNullable = isNullable
            pairs.append(.init(source: types[source].properties.count, target: place))
            types[source].properties.append(property)
        }
        let (to, back) = ("To\(number)", "From\(source)\(number)")
        types[source].navigationProperties.append(
            NavigationProperty(
                names: Names(wire: to),
                targetSet: "S\(target)",
                isCollection: false,
                isNullable: isNullable,
                isDependent: true,
                constraints: pairs,
                partner: back
            )
        )
        types[target].navigationProperties.append(
            NavigationProperty(
                names: Names(wire: back),
                targetSet: "S\(source)",
                isCollection: true,
                isDependent: false,
                constraints: pairs.map { .init(source: $0.target, target: $0.source) },
                partner: to
            )
        )
    }
}
