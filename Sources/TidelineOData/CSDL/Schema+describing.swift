// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Schema {
    /// The schema that describes a model on the wire.
    ///
    /// Local-only properties and database names are left out.
    init(describing model: EntityModel) {
        namespace = model.namespace
        container = model.container
        entityTypes = []
        entitySets = []
        for set in model.sets {
            if !entityTypes.contains(where: { $0.name == set.type.names.wire }) {
                entityTypes.append(Schema.entityType(set.type, in: model))
            }
            entitySets.append(
                EntitySet(
                    name: set.names.wire,
                    type: qualified(set.type.names.wire),
                    bindings: set.type.navigationProperties.map { ($0.names.wire, $0.targetSet) },
                    isReadOnly: set.isReadOnly
                )
            )
        }
    }

    private static func entityType(_ type: TidelineModel.EntityType, in model: EntityModel) -> EntityType {
        func names(_ places: [Int]) -> [String] { places.map { type.properties[$0].names.wire } }
        return EntityType(
            name: type.names.wire,
            key: names(type.key),
            properties: type.properties.filter { !$0.isLocalOnly }.map(property),
            navigationProperties: type.navigationProperties.compactMap { navigation($0, of: type, in: model) },
            alternateKeys: type.uniqueKeys.map(names)
        )
    }

    private static func property(_ property: TidelineModel.Property) -> Property {
        let takesScale = property.type == .decimal
        let takesPrecision =
            switch property.type {
            case .decimal, .dateTimeOffset, .timeOfDay, .duration: true
            default: false
            }
        return Property(
            name: property.names.wire,
            type: property.type.rawValue,
            isNullable: property.isNullable,
            maxLength: property.maxLength.map(String.init),
            precision: takesPrecision ? property.precision.map(String.init) : nil,
            scale: takesScale ? property.scale.map(String.init) ?? "variable" : nil,
            defaultValue: property.defaultValue?.text,
            generation: property.generation
        )
    }

    private static func navigation(
        _ navigation: TidelineModel.NavigationProperty,
        of type: TidelineModel.EntityType,
        in model: EntityModel
    ) -> NavigationProperty? {
        guard let target = model[set: navigation.targetSet]?.type else { return nil }
        let constraints = navigation.constraints.map { constraint in
            Constraint(
                property: type.properties[constraint.source].names.wire,
                referencedProperty: target.properties[constraint.target].names.wire
            )
        }
        return NavigationProperty(
            name: navigation.names.wire,
            type: model.namespace + "." + target.names.wire,
            isCollection: navigation.isCollection,
            isNullable: navigation.isNullable,
            partner: navigation.partner,
            constraints: navigation.isDependent ? constraints : [],
            onDelete: navigation.isDependent || navigation.onDelete == .none ? nil : navigation.onDelete.rawValue
        )
    }
}
