// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Yams

/// Tables that hold the items of collections.
///
///     {name: Tags, collection: String, table: {name: post_tags, key: [post_id], value: tag, order: position}}
///     {name: Phones, collection: Phone, table: {name: phones, key: [person_id], order: line,
///         values: [{name: Digits, column: digits}, {name: Since, column: since, storage: unix-seconds}]}}
extension ModelReader {
    func items(
        _ field: YAMLField,
        of property: inout Property,
        isOwned: Bool,
        _ declared: DeclaredTypes
    ) throws(DomainError) -> ItemTable {
        guard case .collection(of: let element, itemsNullable: let isNullable)? = property.structure else {
            throw field.error(.value, "\(field.path) is for a collection.")
        }
        guard isOwned, property.container == nil else {
            throw field.error(.value, "\(field.path) is for a property of the entity type itself.")
        }
        let fields = try field.fields(["name", "key", "value", "values", "order"])
        var items = ItemTable(
            name: try fields.required("name", of: field).string(),
            key: try fields.required("key", of: field).strings(),
            values: [],
            order: try fields["order"]?.string()
        )
        switch element {
        case .complex(let name):
            items.isComplex = true
            let list = try fields.required("values", of: field)
            for item in try list.items() { items.values.append(try member(item, of: name, declared)) }
            guard !items.values.isEmpty else { throw list.error(.value, "\(list.path) is empty.") }
            guard items.order != nil else {
                throw field.error(.key, "\(field.path) needs an order: complex values have none.")
            }
        case .primitive(let type):
            var value = property
            value.type = type
            items.values = [try self.value(try fields.required("value", of: field), value, isNullable)]
        case .enumeration(let name):
            var value = property
            value.type = declared.enumeration(name)?.underlyingType ?? .int32
            value.enumeration = name
            items.values = [try self.value(try fields.required("value", of: field), value, isNullable)]
        }
        for value in items.values { try checkForm(value, field, declared) }
        // No rows are no items.
        property.isNullable = false
        property.defaultValue = nil
        return items
    }

    /// The column of plain values: its name, or a mapping with its storage form.
    private func value(_ field: YAMLField, _ property: Property, _ isNullable: Bool) throws(DomainError) -> Property {
        var value = property
        value.structure = nil
        value.isNullable = isNullable
        guard case .mapping = field.node else {
            value.names = Names(wire: try field.string())
            return value
        }
        let fields = try field.fields(["column", "storage"])
        value.names = Names(wire: try fields.required("column", of: field).string())
        if let field = fields["storage"] { value.storage = try field.choice(StorageForm.allCases) }
        return value
    }

    /// The column of one member of complex values.
    private func member(_ item: YAMLField, of name: String, _ declared: DeclaredTypes) throws(DomainError) -> Property {
        let fields = try item.fields(["name", "column", "storage"])
        let nameField = try fields.required("name", of: item)
        var properties: [Property] = []
        var next: String? = name
        while let type = next.flatMap(declared.complexType) {
            properties += type.properties
            next = type.baseType
        }
        let wire = try nameField.string()
        guard var property = properties.first(where: { $0.names.wire == wire }), property.structure == nil else {
            throw nameField.error(.name, "\(nameField.path) is \"\(wire)\", which is no plain property of \(name).")
        }
        property.names.database = try fields["column"]?.string() ?? wire
        if let field = fields["storage"] { property.storage = try field.choice(StorageForm.allCases) }
        return property
    }

    private func checkForm(_ value: Property, _ field: YAMLField, _ declared: DeclaredTypes) throws(DomainError) {
        if value.type == .binary || value.type.isSpatial {
            throw field.error(
                .value,
                "\(field.path) has values of \(value.type.rawValue), which only a JSON column can hold."
            )
        }
        if value.enumeration != nil, value.storage != .memberName {
            throw field.error(.value, "\(field.path) has members of an enumeration; their storage is member-name.")
        }
    }

    /// The columns that lead to the row are as many as its key has.
    func checkItems(_ list: YAMLField, of type: EntityType) throws(DomainError) {
        for (place, item) in try list.items().enumerated() {
            guard let items = type.properties[place].items, items.key.count != type.key.count else { continue }
            throw item.error(
                .value,
                "\(item.path).table names \(items.key.count) columns for a key of \(type.key.count)."
            )
        }
    }
}
