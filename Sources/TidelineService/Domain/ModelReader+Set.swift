// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension ModelReader {
    static let setKeys: Set = [
        "name", "type", "code", "table", "readOnly", "key", "properties", "unique", "navigation", "contained",
        "description", "complex", "discriminator", "discriminatorValue", "abstract", "derived", "media", "version",
        "search", "aggregates", "rules", "conflict",
    ]

    func entitySet(_ item: YAMLField, _ declared: DeclaredTypes) throws(DomainError) -> EntitySet {
        let fields = try item.fields(Self.setKeys)
        let setName = try name(try fields.required("name", of: item))
        let typeName = try name(try fields.required("type", of: item))
        let table = try fields.required("table", of: item).string()
        var type = EntityType(names: Names(wire: typeName, database: table), properties: [], key: [])
        for field in try fields["complex"]?.items() ?? [] {
            type.complexProperties.append(try complexProperty(field, of: type))
        }
        let derivedNames = try fields["derived"].map(derivedNames) ?? []
        for field in try fields.required("properties", of: item).items() {
            let property = try property(field, PropertyOwner(type: type, derivedNames: derivedNames), declared)
            let name = property.names.wire.lowercased()
            let isTaken =
                type.properties.contains { $0.container == property.container && $0.names.wire.lowercased() == name }
                || type.complexProperties.contains {
                    $0.parent == property.container && $0.names.wire.lowercased() == name
                }
            guard !isTaken else {
                throw field.error(.name, "\(setName) has two properties named \(property.names.wire).")
            }
            type.properties.append(property)
        }
        try readStreams(try fields.required("properties", of: item), of: &type, setName)
        try readCoordinates(try fields.required("properties", of: item), of: &type, setName)
        type.key = try key(try fields.required("key", of: item), of: type, setName)
        try checkItems(try fields.required("properties", of: item), of: type)
        for field in try fields["unique"]?.items() ?? [] {
            type.uniqueKeys.append(try places(field, in: type, of: setName))
        }
        try readRoles(fields, of: &type, setName)
        try readInheritance(fields, of: &type, setName)
        type.description = try fields["description"]?.string()
        type.conflictPolicy = try fields["conflict"].map(conflictPolicy)
        var set = EntitySet(
            names: Names(wire: setName, code: try fields["code"]?.string(), database: table),
            type: type,
            isReadOnly: try fields["readOnly"]?.bool() ?? false
        )
        set.isContained = try fields["contained"]?.bool() ?? false
        set.description = type.description
        for field in try fields["aggregates"]?.items() ?? [] {
            let item = try aggregate(field)
            guard !set.aggregates.contains(where: { $0.alias == item.alias }) else {
                throw field.error(.name, "\(setName) has two aggregates named \(item.alias ?? "").")
            }
            set.aggregates.append(item)
        }
        return set
    }

    private func key(_ field: YAMLField, of type: EntityType, _ set: String) throws(DomainError) -> [Int] {
        let key = try places(field, in: type, of: set)
        guard !key.isEmpty else { throw field.error(.value, "\(set) has no key.") }
        for place in key where !type.properties[place].type.isKeyType || type.properties[place].isNullable {
            throw field.error(
                .value,
                "\(set).\(type.wirePath(of: place)) cannot be a key: it is nullable or of a type without equality."
            )
        }
        return key
    }

    func places(_ field: YAMLField, in type: EntityType, of set: String) throws(DomainError) -> [Int] {
        var places: [Int] = []
        for item in try field.items() {
            let place = try place(item, in: type, of: set)
            guard !places.contains(place) else {
                throw item.error(.name, "\(set) has no property \(try item.string()) to stand here once.")
            }
            places.append(place)
        }
        return places
    }

    func place(_ field: YAMLField, in type: EntityType, of set: String) throws(DomainError) -> Int {
        guard let place = type.propertyIndex(path: try field.string()) else {
            throw field.error(.name, "\(set) has no property \(try field.string()) to stand here once.")
        }
        return place
    }

    /// The properties with a part to play: the media content, the version, what is searched.
    private func readRoles(
        _ fields: [String: YAMLField],
        of type: inout EntityType,
        _ set: String
    ) throws(DomainError) {
        if let field = fields["media"] {
            let place = try place(field, in: type, of: set)
            guard type.properties[place].stream != nil else {
                throw field.error(.value, "\(field.path) is \"\(try field.string())\", which is no stream.")
            }
            type.mediaProperty = place
        }
        if let field = fields["version"] {
            let place = try place(field, in: type, of: set)
            let property = type.properties[place]
            guard property.structure == nil, property.stream == nil else {
                throw field.error(.value, "\(field.path) is \"\(try field.string())\", which has no plain value.")
            }
            type.version = place
        }
        try readSearch(fields["search"], of: &type, set)
        let bags = type.properties.filter { $0.structure == .dynamic }
        guard bags.count < 2 else {
            throw root.error(.value, "\(set) has two columns of dynamic properties.")
        }
    }

    /// `search: [Name]`, or with a full-text index `search: {properties: [Name], fullText: true}`.
    private func readSearch(_ search: YAMLField?, of type: inout EntityType, _ set: String) throws(DomainError) {
        var list = search
        if let search, search.isMapping {
            let fields = try search.fields(["properties", "fullText"])
            list = try fields.required("properties", of: search)
            type.searchesWords = try fields["fullText"]?.bool() ?? false
        }
        for field in try list?.items() ?? [] {
            let place = try place(field, in: type, of: set)
            guard type.properties[place].type == .string else {
                throw field.error(.value, "\(field.path) is \"\(try field.string())\", which is no text.")
            }
            type.searchProperties.append(place)
        }
    }

    private func complexProperty(
        _ item: YAMLField,
        of type: EntityType
    ) throws(DomainError) -> ComplexProperty {
        let fields = try item.fields(["name", "type", "nullable", "in", "description"])
        let wire = try name(try fields.required("name", of: item))
        var property = ComplexProperty(names: Names(wire: wire), type: try name(try fields.required("type", of: item)))
        if let field = fields["in"] { property.parent = try container(field, of: type) }
        let isTaken = type.complexProperties.contains { $0.parent == property.parent && $0.names.wire == wire }
        guard !isTaken else { throw item.error(.name, "There are two complex properties named \(wire).") }
        property.isNullable = try fields["nullable"]?.bool() ?? true
        property.description = try fields["description"]?.string()
        return property
    }

    func container(_ field: YAMLField, of type: EntityType) throws(DomainError) -> Int {
        guard let place = type.complexIndex(path: try field.string()) else {
            throw field.error(
                .name,
                "\(field.path) is \"\(try field.string())\", and no such complex property stands above."
            )
        }
        return place
    }

    // MARK: Inheritance

    private func derivedNames(_ field: YAMLField) throws(DomainError) -> Set<String> {
        var names: Set<String> = []
        for item in try field.items() {
            let fields = try item.fields(["name", "base", "value", "abstract", "description"])
            names.insert(try name(try fields.required("name", of: item)))
        }
        return names
    }

    private func readInheritance(
        _ fields: [String: YAMLField],
        of type: inout EntityType,
        _ set: String
    ) throws(DomainError) {
        type.isAbstract = try fields["abstract"]?.bool() ?? false
        guard let list = fields["derived"] else {
            guard fields["discriminator"] == nil, !type.isAbstract else {
                throw root.error(.value, "\(set) has a discriminator or is abstract, but has no derived types.")
            }
            return
        }
        let field = try fields.required("discriminator", of: list)
        let place = try place(field, in: type, of: set)
        type.discriminator = place
        let property = type.properties[place]
        if let field = fields["discriminatorValue"] { type.discriminatorValue = try value(field, of: property) }
        for item in try list.items() {
            let fields = try item.fields(["name", "base", "value", "abstract", "description"])
            let wire = try name(try fields.required("name", of: item))
            var derived = DerivedType(names: Names(wire: wire), discriminatorValue: nil)
            if let base = fields["base"] {
                derived.baseType = try base.string()
                guard type.derivedTypes.contains(where: { $0.names.wire == derived.baseType }) else {
                    throw base.error(.name, "\(base.path) is \"\(try base.string())\", and no such type stands above.")
                }
            }
            derived.isAbstract = try fields["abstract"]?.bool() ?? false
            derived.description = try fields["description"]?.string()
            if let field = fields["value"] { derived.discriminatorValue = try value(field, of: property) }
            guard derived.isAbstract == (derived.discriminatorValue == nil) else {
                throw item.error(.value, "\(item.path) needs the value of its rows' discriminator, or is abstract.")
            }
            let isTaken = type.derivedTypes.contains {
                $0.discriminatorValue == derived.discriminatorValue && derived.discriminatorValue != nil
            }
            guard !isTaken, derived.discriminatorValue == nil || derived.discriminatorValue != type.discriminatorValue
            else { throw item.error(.value, "\(item.path) has the value of another type.") }
            type.derivedTypes.append(derived)
        }
    }
}
