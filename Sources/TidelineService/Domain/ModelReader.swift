// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Reads the entity model of a domain's file: sets first, then the ways between them, then the whole is checked.
struct ModelReader {
    let root: YAMLField
    let fields: [String: YAMLField]

    func model() throws(DomainError) -> EntityModel {
        let namespace = try fields.required("namespace", of: root)
        guard
            try namespace.string().split(separator: ".", omittingEmptySubsequences: false).allSatisfy(
                SimpleIdentifier.isName
            )
        else { throw namespace.error(.name, "The namespace is not a dotted name.") }
        let container = try fields["container"]?.string() ?? "Container"
        guard SimpleIdentifier.isName(container) else {
            throw root.error(.name, "The container's name is not an identifier.")
        }
        let items = try fields.required("sets", of: root).items()
        var types: Set<String> = []
        let declared = try declaredTypes(&types)
        var sets: [EntitySet] = []
        var names: Set<String> = []
        for item in items {
            let set = try entitySet(item, declared)
            guard names.insert(set.names.wire.lowercased()).inserted else {
                throw item.error(.name, "There are two sets named \(set.names.wire); letter case does not count.")
            }
            guard types.insert(set.type.names.wire.lowercased()).inserted else {
                throw item.error(.name, "There are two types named \(set.type.names.wire).")
            }
            for derived in set.type.derivedTypes where !types.insert(derived.names.wire.lowercased()).inserted {
                throw item.error(.name, "There are two types named \(derived.names.wire).")
            }
            sets.append(set)
        }
        let bare = EntityModel(namespace: try namespace.string(), container: container, sets: sets)
        for (place, item) in items.enumerated() {
            sets[place].type.navigationProperties = try navigations(item, of: sets[place], in: bare)
        }
        var model = EntityModel(namespace: bare.namespace, container: container, sets: sets)
        model.enumerations = declared.enumerations
        model.complexTypes = declared.complexTypes
        model.description = try fields["description"]?.string()
        try checkPartners(model, items)
        try checkLinks(model, items)
        try checkAggregates(model, items)
        model.singletons = try singletons(of: model, &names)
        try readOperations(into: &model, declared, &types)
        try readRules(into: &model, items)
        return model
    }

    func name(_ field: YAMLField) throws(DomainError) -> String {
        let name = try field.string()
        guard SimpleIdentifier.isName(name) else {
            throw field.error(.name, "\(field.path) is \"\(name)\": a name has letters, digits and _, no digit first.")
        }
        return name
    }
}
