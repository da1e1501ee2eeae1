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
            try namespace.string().split(separator: ".", omittingEmptySubsequences: false).allSatisfy(Self.isIdentifier)
        else { throw namespace.error(.name, "The namespace is not a dotted name.") }
        let container = try fields["container"]?.string() ?? "Container"
        guard Self.isIdentifier(container[...]) else {
            throw root.error(.name, "The container's name is not an identifier.")
        }
        let items = try fields.required("sets", of: root).items()
        var sets: [EntitySet] = []
        var names: Set<String> = []
        var types: Set<String> = []
        for item in items {
            let set = try entitySet(item)
            guard names.insert(set.names.wire.lowercased()).inserted else {
                throw item.error(.name, "There are two sets named \(set.names.wire); letter case does not count.")
            }
            guard types.insert(set.type.names.wire.lowercased()).inserted else {
                throw item.error(.name, "There are two entity types named \(set.type.names.wire).")
            }
            sets.append(set)
        }
        let bare = EntityModel(namespace: try namespace.string(), container: container, sets: sets)
        for (place, item) in items.enumerated() {
            sets[place].type.navigationProperties = try navigations(item, of: sets[place], in: bare)
        }
        let model = EntityModel(namespace: bare.namespace, container: container, sets: sets)
        try checkPartners(model, items)
        return model
    }

    /// Source: OData CSDL 4.01, section 15.2, SimpleIdentifier; ASCII only, so that every tool agrees.
    static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 128 else { return false }
        let isLetter = { (byte: UInt8) in byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F }
        return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || $0 >= 0x30 && $0 <= 0x39 }
    }

    private func name(_ field: YAMLField) throws(DomainError) -> String {
        let name = try field.string()
        guard Self.isIdentifier(name[...]) else {
            throw field.error(.name, "\(field.path) is \"\(name)\": a name has letters, digits and _, no digit first.")
        }
        return name
    }

    private func entitySet(_ item: YAMLField) throws(DomainError) -> EntitySet {
        let fields = try item.fields([
            "name", "type", "code", "table", "readOnly", "key", "properties", "unique", "navigation",
        ])
        let setName = try name(try fields.required("name", of: item))
        let typeName = try name(try fields.required("type", of: item))
        let table = try fields.required("table", of: item).string()
        let propertyList = try fields.required("properties", of: item)
        var properties: [Property] = []
        for field in try propertyList.items() {
            let property = try property(field)
            let name = property.names.wire.lowercased()
            guard !properties.contains(where: { $0.names.wire.lowercased() == name }) else {
                throw field.error(.name, "\(setName) has two properties named \(property.names.wire).")
            }
            properties.append(property)
        }
        let keyField = try fields.required("key", of: item)
        let key = try places(keyField, in: properties, of: setName)
        guard !key.isEmpty else { throw keyField.error(.value, "\(setName) has no key.") }
        for place in key where !properties[place].type.isKeyType || properties[place].isNullable {
            let property = properties[place].names.wire
            throw keyField.error(
                .value,
                "\(setName).\(property) cannot be a key: it is nullable or of a type without equality."
            )
        }
        var uniqueKeys: [[Int]] = []
        for field in try fields["unique"]?.items() ?? [] {
            uniqueKeys.append(try places(field, in: properties, of: setName))
        }
        let type = EntityType(
            names: Names(wire: typeName, database: table),
            properties: properties,
            key: key,
            uniqueKeys: uniqueKeys
        )
        let code = try fields["code"]?.string()
        return EntitySet(
            names: Names(wire: setName, code: code, database: table),
            type: type,
            isReadOnly: try fields["readOnly"]?.bool() ?? false
        )
    }

    private func places(_ field: YAMLField, in properties: [Property], of set: String) throws(DomainError) -> [Int] {
        var places: [Int] = []
        for item in try field.items() {
            let name = try item.string()
            guard let place = properties.firstIndex(where: { $0.names.wire == name }), !places.contains(place) else {
                throw item.error(.name, "\(set) has no property \(name) to stand here once.")
            }
            places.append(place)
        }
        return places
    }

    private func property(_ item: YAMLField) throws(DomainError) -> Property {
        let fields = try item.fields([
            "name", "code", "column", "type", "nullable", "maxLength", "precision", "scale", "default", "generated",
            "storage",
        ])
        let wire = try name(try fields.required("name", of: item))
        let typeField = try fields.required("type", of: item)
        let typeName = try typeField.string()
        guard let type = PrimitiveType(rawValue: typeName.hasPrefix("Edm.") ? typeName : "Edm.\(typeName)") else {
            throw typeField.error(.value, "\(typeField.path) is \"\(typeName)\", which is no primitive type of OData.")
        }
        var property = Property(
            names: Names(wire: wire, code: try fields["code"]?.string(), database: try fields["column"]?.string()),
            type: type,
            isNullable: try fields["nullable"]?.bool() ?? true,
            maxLength: try fields["maxLength"]?.integer(1...Int(Int32.max)),
            precision: try fields["precision"]?.integer(0...38),
            scale: try fields["scale"]?.integer(0...38)
        )
        if let field = fields["generated"] { property.generation = try field.choice([.none, .onInsert, .always]) }
        if let field = fields["storage"] { property.storage = try field.choice(StorageForm.allCases) }
        if let field = fields["default"] {
            guard !field.isNull, let value = Value(text: try field.string(), as: type) else {
                throw field.error(.value, "\(field.path) is not a value of \(type.rawValue).")
            }
            property.defaultValue = value
        }
        if property.storage == .decimalScaled, property.scale == nil {
            throw item.error(.value, "\(item.path) is stored as a scaled integer, so it needs a scale.")
        }
        return property
    }
}
