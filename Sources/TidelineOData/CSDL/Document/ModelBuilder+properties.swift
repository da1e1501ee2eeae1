// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelBuilder {
    /// The structural properties that a type itself declares; those of unknown types are left out with a warning.
    mutating func properties(of type: Schema.StructuredType, declaringType: String?) -> [Property] {
        var properties: [Property] = []
        for raw in type.properties {
            guard var property = property(raw, owner: lookup.path(type)) else {
                warn("The property ‘\(raw.name)’ of ‘\(type.name)’ is left out: its type is ‘\(raw.type.text)’.")
                continue
            }
            property.declaringType = declaringType
            properties.append(property)
        }
        return properties
    }

    private func property(_ raw: Schema.Property, owner: String) -> Property? {
        let use = lookup.withoutDefinition(raw.type)
        guard var property = decorated(raw.name, use) else { return nil }
        property.isNullable = use.isCollection ? true : use.isNullable != false
        property.maxLength = use.maxLength.flatMap { Int($0) }
        // Values here have nine digits at most, so a greater precision limits nothing.
        property.precision = use.precision.flatMap { Int($0) }.flatMap {
            property.type != .decimal && $0 >= 9 ? nil : $0
        }
        if property.type == .decimal { property.scale = use.scale == nil ? 0 : use.scale.flatMap { Int($0) } }
        property.srid = property.type.isSpatial ? use.srid.flatMap { Int($0) } : nil
        if let text = raw.defaultValue { property.defaultValue = defaultValue(text, of: property) }
        apply(lookup.annotations(raw.annotations, of: "\(owner)/\(raw.name)"), to: &property)
        return property
    }

    private func defaultValue(_ text: String, of property: Property) -> Value? {
        if let name = property.enumeration {
            return lookup.enumeration(local: name).flatMap { type in
                type.members.first { $0.name == text }.map { .integer($0.value) }
            }
        }
        return property.structure == nil ? Value(text: text, as: property.type) : nil
    }

    /// A property of the type, with the decorations that say what the type is.
    private func decorated(_ name: String, _ use: Schema.TypeUse) -> Property? {
        let names = Names(wire: name)
        if use.isCollection {
            let element: Structure.Element
            if let type = PrimitiveType(rawValue: use.name) {
                element = .primitive(type)
            } else if let type = lookup.enumeration(use.name) {
                element = .enumeration(type.name)
            } else if let type = lookup.structured(use.name), !type.isEntity {
                element = .complex(type.name)
            } else {
                return nil
            }
            var property = Property(names: names, type: .string)
            property.structure = .collection(of: element, itemsNullable: use.isNullable == true)
            return property
        }
        if let type = PrimitiveType(rawValue: use.name) { return Property(names: names, type: type) }
        if use.name == "Edm.Stream" {
            var property = Property(names: names, type: .binary)
            property.stream = MediaStream()
            return property
        }
        if let type = lookup.enumeration(use.name) {
            let underlying = type.underlyingType.flatMap(PrimitiveType.init(rawValue:)) ?? .int32
            var property = Property(names: names, type: underlying)
            property.enumeration = type.name
            return property
        }
        guard let type = lookup.structured(use.name), !type.isEntity else { return nil }
        var property = Property(names: names, type: .string)
        property.structure = .complex(type.name)
        return property
    }

    private func apply(_ annotations: [Annotation], to property: inout Property) {
        property.conflictPolicy = ConflictAnnotation.policy(in: annotations)
        for annotation in annotations where annotation.value != .bool(false) {
            let value = annotation.value
            if annotation.isTerm(.core, "Computed") {
                property.generation = .always
            } else if annotation.isTerm(.core, "ComputedDefaultValue") {
                if property.generation == .none { property.generation = .onInsert }
            } else if annotation.isTerm(.core, "Immutable") {
                property.isImmutable = true
            } else if annotation.isTerm(.core, "Permissions") {
                let text = value?.text ?? ""
                property.isReadOnly = text == "Read" || text.hasSuffix("/Read")
            } else if annotation.isTerm(.core, "Description") {
                property.description = value?.text
            } else if annotation.isTerm(.validation, "Pattern") {
                property.pattern = value?.text
            } else if annotation.isTerm(.validation, "Minimum") {
                property.minimum = bound(value, of: property)
            } else if annotation.isTerm(.validation, "Maximum") {
                property.maximum = bound(value, of: property)
            } else if annotation.isTerm(.validation, "AllowedValues"), case .collection(let items)? = value {
                property.allowedValues = items.compactMap { item in
                    guard case .record(let record) = item else { return nil }
                    return bound(record.members.first { $0.name == "Value" }?.value, of: property)
                }
            } else if annotation.isTerm(.measures, "Unit"), case .constant(_, let text)? = value {
                property.measure = .unit(text)
            } else if annotation.isTerm(.measures, "ISOCurrency"), case .constant(_, let text)? = value {
                property.measure = .currency(text)
            }
        }
    }

    private func bound(_ value: AnnotationExpression?, of property: Property) -> Value? {
        guard case .constant(_, let text)? = value else { return nil }
        return Value(text: text, as: property.type)
    }

    // MARK: Navigation

    mutating func navigations(
        of set: EntitySet,
        _ child: Schema.ContainerChild,
        in model: EntityModel
    ) -> [NavigationProperty] {
        guard let raw = lookup.structured(child.type) else { return [] }
        var navigations: [NavigationProperty] = []
        let types = lookup.chain(raw).map { ($0, String?.none) } + lookup.derived(from: raw).map { ($0, $0.name) }
        for (type, declaringType) in types {
            for navigation in type.navigationProperties {
                guard var found = self.navigation(navigation, of: set.type, child, in: model) else {
                    warn(
                        "The navigation property ‘\(navigation.name)’ of ‘\(type.name)’ is left out: no property of "
                            + "either end holds what it follows."
                    )
                    continue
                }
                found.declaringType = declaringType
                navigations.append(found)
            }
        }
        return navigations
    }

    /// Leaves out the many-to-many navigation properties whose link table has no ways to both ends.
    mutating func removeLooseLinks(from sets: inout [EntitySet]) {
        let model = EntityModel(namespace: namespace, container: container.name, sets: sets)
        for place in sets.indices {
            let set = sets[place]
            let loose = set.type.navigationProperties.filter { !Self.ties($0, of: set, in: model) }
            for navigation in loose {
                warn(
                    "The navigation property ‘\(navigation.names.wire)’ of ‘\(set.type.names.wire)’ is left out: "
                        + "\(navigation.link?.set ?? "") has no ways to both ends."
                )
            }
            if !loose.isEmpty { sets[place].type.navigationProperties.removeAll(where: loose.contains) }
        }
    }

    /// Whether the rows of a link table lead to both ends of a navigation property; it is asked for one without any, too.
    private static func ties(_ navigation: NavigationProperty, of set: EntitySet, in model: EntityModel) -> Bool {
        guard let link = navigation.link else { return true }
        guard let between = model[set: link.set]?.type, link.toOwner != link.toTarget else { return false }
        return [(link.toOwner, set.names.wire), (link.toTarget, navigation.targetSet)].allSatisfy { name, end in
            between.navigationProperties.contains { $0.names.wire == name && $0.isDependent && $0.targetSet == end }
        }
    }

    private func navigation(
        _ raw: Schema.NavigationProperty,
        of type: EntityType,
        _ child: Schema.ContainerChild,
        in model: EntityModel
    ) -> NavigationProperty? {
        let binding = child.bindings.first {
            $0.path == raw.name || $0.path.hasSuffix("/" + raw.name) && $0.path.contains(".")
        }
        let target = binding.map { $0.target.split(separator: "/").last.map(String.init) ?? $0.target }
        guard
            let target, let targetType = model[set: target]?.type, let rawTarget = lookup.structured(raw.type.name)
        else { return nil }
        let partner = raw.partner.flatMap { name in
            lookup.chain(rawTarget).flatMap(\.navigationProperties).first { $0.name == name }
        }
        let isDependent = !raw.constraints.isEmpty
        let pairs =
            isDependent
            ? raw.constraints.map { ($0.property, $0.referencedProperty) }
            : (partner?.constraints ?? []).map { ($0.referencedProperty, $0.property) }
        let constraints = pairs.compactMap { pair -> NavigationProperty.Constraint? in
            guard let source = type.propertyIndex(wire: pair.0), let end = targetType.propertyIndex(wire: pair.1) else {
                return nil
            }
            return NavigationProperty.Constraint(source: source, target: end)
        }
        let link = pairs.isEmpty && raw.type.isCollection ? LinkAnnotation.link(in: raw.annotations) : nil
        guard link != nil || !constraints.isEmpty && constraints.count == pairs.count else { return nil }
        let rule = (raw.onDelete ?? partner?.onDelete)?.action
        var navigation = NavigationProperty(
            names: Names(wire: raw.name),
            targetSet: target,
            isCollection: raw.type.isCollection,
            isNullable: raw.type.isCollection || raw.type.isNullable != false,
            isDependent: isDependent,
            constraints: constraints,
            onDelete: rule.flatMap(NavigationProperty.DeleteRule.init(rawValue:)) ?? .none,
            partner: raw.partner
        )
        navigation.link = link
        navigation.isContainment = raw.containsTarget
        navigation.description = raw.annotations.first { $0.isTerm(.core, "Description") }?.value?.text
        return navigation
    }
}
