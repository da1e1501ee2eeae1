// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Schema {
    /// The model that the schema describes; database names and names in code are the names on the wire.
    ///
    /// A navigation property without a binding, or whose columns neither it nor its partner tells, is left out: there is
    /// nothing to follow it by. A property of a type that the model does not have is an error.
    func model() throws(ODataError) -> EntityModel {
        var sets: [TidelineModel.EntitySet] = []
        for set in entitySets {
            guard let raw = entityType(set.type) else {
                throw ODataError(.invalidMetadata, "The entity set ‘\(set.name)’ has no entity type.", target: set.name)
            }
            sets.append(
                TidelineModel.EntitySet(names: Names(wire: set.name), type: try type(raw), isReadOnly: set.isReadOnly)
            )
        }
        let placed = sets
        for (place, set) in entitySets.enumerated() {
            guard let raw = entityType(set.type) else { continue }
            sets[place].type.navigationProperties = raw.navigationProperties.compactMap { navigation in
                self.navigation(navigation, of: placed[place].type, raw: raw, in: set, sets: placed)
            }
        }
        return EntityModel(namespace: namespace, container: container, sets: sets)
    }

    private func entityType(_ qualifiedName: String) -> EntityType? {
        entityTypes.first { qualified($0.name) == qualifiedName }
    }

    private func type(_ raw: EntityType) throws(ODataError) -> TidelineModel.EntityType {
        var properties: [TidelineModel.Property] = []
        for property in raw.properties { properties.append(try self.property(property)) }
        func places(_ names: [String]) -> [Int] {
            names.compactMap { name in properties.firstIndex { $0.names.wire == name } }
        }
        let key = places(raw.key)
        guard !key.isEmpty, key.count == raw.key.count else {
            throw ODataError(.invalidMetadata, "The entity type ‘\(raw.name)’ has no usable key.", target: raw.name)
        }
        return TidelineModel.EntityType(
            names: Names(wire: raw.name),
            properties: properties,
            key: key,
            uniqueKeys: raw.alternateKeys.map(places).filter { !$0.isEmpty }
        )
    }

    private func property(_ raw: Property) throws(ODataError) -> TidelineModel.Property {
        guard let type = PrimitiveType(rawValue: raw.type) else {
            throw ODataError(
                .invalidMetadata,
                "The property ‘\(raw.name)’ has the type ‘\(raw.type)’, which is not supported.",
                target: raw.name
            )
        }
        return TidelineModel.Property(
            names: Names(wire: raw.name),
            type: type,
            isNullable: raw.isNullable,
            maxLength: raw.maxLength.flatMap { Int($0) },
            precision: raw.precision.flatMap { Int($0) },
            scale: type == .decimal ? (raw.scale == nil ? 0 : raw.scale.flatMap { Int($0) }) : nil,
            defaultValue: raw.defaultValue.flatMap { Value(text: $0, as: type) },
            generation: raw.generation
        )
    }

    private func navigation(
        _ raw: NavigationProperty,
        of type: TidelineModel.EntityType,
        raw owner: EntityType,
        in set: EntitySet,
        sets: [TidelineModel.EntitySet]
    ) -> TidelineModel.NavigationProperty? {
        guard
            let binding = set.bindings.first(where: { $0.path == raw.name }),
            let target = sets.first(where: { $0.names.wire == binding.target })?.type,
            let rawTarget = entityType(raw.type)
        else { return nil }
        let partner = raw.partner.flatMap { name in rawTarget.navigationProperties.first { $0.name == name } }
        let isDependent = !raw.constraints.isEmpty
        let pairs =
            isDependent
            ? raw.constraints.map { ($0.property, $0.referencedProperty) }
            : (partner?.constraints ?? []).map { ($0.referencedProperty, $0.property) }
        let constraints = pairs.compactMap { pair -> TidelineModel.NavigationProperty.Constraint? in
            guard let source = type.propertyIndex(wire: pair.0), let end = target.propertyIndex(wire: pair.1) else {
                return nil
            }
            return TidelineModel.NavigationProperty.Constraint(source: source, target: end)
        }
        guard !constraints.isEmpty, constraints.count == pairs.count else { return nil }
        let rule = raw.onDelete ?? partner?.onDelete
        return TidelineModel.NavigationProperty(
            names: Names(wire: raw.name),
            targetSet: binding.target,
            isCollection: raw.isCollection,
            isNullable: raw.isNullable,
            isDependent: isDependent,
            constraints: constraints,
            onDelete: rule.flatMap(TidelineModel.NavigationProperty.DeleteRule.init(rawValue:)) ?? .none,
            partner: raw.partner
        )
    }
}
