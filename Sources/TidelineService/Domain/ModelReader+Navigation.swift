// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelReader {
    func navigations(
        _ item: YAMLField,
        of set: EntitySet,
        in model: EntityModel
    ) throws(DomainError) -> [NavigationProperty] {
        guard let list = try item.fields(Self.setKeys)["navigation"] else { return [] }
        var navigations: [NavigationProperty] = []
        for field in try list.items() {
            let navigation = try navigation(field, of: set, in: model)
            let wire = navigation.names.wire.lowercased()
            let isTaken =
                navigations.contains { $0.names.wire.lowercased() == wire }
                || set.type.properties.contains { $0.container == nil && $0.names.wire.lowercased() == wire }
                || set.type.complexProperties.contains { $0.parent == nil && $0.names.wire.lowercased() == wire }
            guard !isTaken else {
                throw field.error(.name, "\(set.names.wire) has two things named \(navigation.names.wire).")
            }
            navigations.append(navigation)
        }
        return navigations
    }

    private func navigation(
        _ item: YAMLField,
        of set: EntitySet,
        in model: EntityModel
    ) throws(DomainError) -> NavigationProperty {
        let fields = try item.fields([
            "name", "code", "target", "collection", "dependent", "nullable", "on", "onDelete", "partner", "link",
            "contains", "of", "description",
        ])
        let nameField = try fields.required("name", of: item)
        let wire = try nameField.string()
        guard SimpleIdentifier.isName(wire) else {
            throw nameField.error(.name, "\(nameField.path) is \"\(wire)\", which is no identifier.")
        }
        let targetField = try fields.required("target", of: item)
        guard let target = model[set: try targetField.string()] else {
            throw targetField.error(
                .name,
                "\(targetField.path) is \"\(try targetField.string())\", and there is no such set."
            )
        }
        let isCollection = try fields["collection"]?.bool() ?? false
        let isDependent = try fields["dependent"]?.bool() ?? false
        guard !(isCollection && isDependent) else {
            throw item.error(.value, "\(item.path) leads to many and holds the foreign key: that cannot be.")
        }
        let link = try fields["link"].map(link)
        var constraints: [NavigationProperty.Constraint] = []
        if link == nil {
            let on = try fields.required("on", of: item)
            for pair in try on.items() {
                constraints.append(try constraint(pair, from: set, to: target))
            }
            guard !constraints.isEmpty else { throw on.error(.value, "\(on.path) is empty.") }
        } else {
            guard isCollection, fields["on"] == nil else {
                throw item.error(
                    .value,
                    "\(item.path) goes through a link table, so it leads to many and has no \"on\"."
                )
            }
        }
        var navigation = NavigationProperty(
            names: Names(wire: wire, code: try fields["code"]?.string()),
            targetSet: target.names.wire,
            isCollection: isCollection,
            isNullable: try fields["nullable"]?.bool() ?? true,
            isDependent: isDependent,
            constraints: constraints,
            onDelete: try fields["onDelete"]?.choice([.cascade, .none, .setNull, .setDefault]) ?? .none,
            partner: try fields["partner"]?.string()
        )
        navigation.link = link
        navigation.isContainment = try fields["contains"]?.bool() ?? false
        navigation.description = try fields["description"]?.string()
        if let field = fields["of"] {
            navigation.declaringType = try field.string()
            guard set.type.derivedTypes.contains(where: { $0.names.wire == navigation.declaringType }) else {
                throw field.error(
                    .name,
                    "\(field.path) is \"\(try field.string())\", and there is no such derived type."
                )
            }
        }
        guard !navigation.isContainment || !isDependent else {
            throw item.error(.value, "\(item.path) holds the foreign key, so it cannot contain what it leads to.")
        }
        return navigation
    }

    private func link(_ item: YAMLField) throws(DomainError) -> LinkTable {
        let fields = try item.fields(["set", "toOwner", "toTarget"])
        return LinkTable(
            set: try fields.required("set", of: item).string(),
            toOwner: try fields.required("toOwner", of: item).string(),
            toTarget: try fields.required("toTarget", of: item).string()
        )
    }

    /// A link table is a set whose rows lead to both ends.
    func checkLinks(_ model: EntityModel, _ items: [YAMLField]) throws(DomainError) {
        for (set, item) in zip(model.sets, items) {
            for navigation in set.type.navigationProperties {
                guard let link = navigation.link else { continue }
                let name = "\(set.names.wire).\(navigation.names.wire)"
                guard let links = model[set: link.set]?.type else {
                    throw item.error(.name, "The link table \(link.set) of \(name) is no set.")
                }
                for (way, end) in [(link.toOwner, set.names.wire), (link.toTarget, navigation.targetSet)] {
                    let place = links.navigationIndex(wire: way)
                    let found = place.map { links.navigationProperties[$0] }
                    guard let found, found.isDependent, found.targetSet == end else {
                        throw item.error(.name, "\(link.set).\(way) does not lead to \(end), as \(name) needs it.")
                    }
                }
            }
        }
    }

    private func constraint(
        _ item: YAMLField,
        from set: EntitySet,
        to target: EntitySet
    ) throws(DomainError) -> NavigationProperty.Constraint {
        let fields = try item.fields(["from", "to"])
        let from = try fields.required("from", of: item)
        let to = try fields.required("to", of: item)
        guard let source = set.type.propertyIndex(path: try from.string()) else {
            throw from.error(.name, "\(set.names.wire) has no property \(try from.string()).")
        }
        guard let end = target.type.propertyIndex(path: try to.string()) else {
            throw to.error(.name, "\(target.names.wire) has no property \(try to.string()).")
        }
        guard set.type.properties[source].type == target.type.properties[end].type else {
            throw item.error(.value, "\(item.path) ties properties of different types.")
        }
        return NavigationProperty.Constraint(source: source, target: end)
    }

    /// A partner leads back: it exists in the target's type and ends in this set.
    func checkPartners(_ model: EntityModel, _ items: [YAMLField]) throws(DomainError) {
        for (set, item) in zip(model.sets, items) {
            for navigation in set.type.navigationProperties {
                guard let partner = navigation.partner, let target = model[set: navigation.targetSet] else { continue }
                guard let place = target.type.navigationIndex(wire: partner),
                    target.type.navigationProperties[place].targetSet == set.names.wire
                else {
                    let name = "\(set.names.wire).\(navigation.names.wire)"
                    throw item.error(
                        .name,
                        "The partner \(partner) of \(name) does not lead back from \(target.names.wire)."
                    )
                }
            }
        }
    }
}
