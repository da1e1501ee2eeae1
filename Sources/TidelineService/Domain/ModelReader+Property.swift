// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelReader {
    /// What a property may refer to in the entity type that it stands in.
    struct PropertyOwner {
        var type: EntityType
        var derivedNames: Set<String>
    }

    static let propertyKeys: Set = [
        "name", "code", "column", "type", "nullable", "maxLength", "precision", "scale", "default", "generated",
        "storage", "enum", "complex", "collection", "nullItems", "table", "dynamic", "in", "of", "stream", "immutable",
        "readOnly", "srid", "pattern", "min", "max", "allowed", "unit", "currency", "conflict", "coordinates",
        "description",
    ]

    /// - Parameters:
    ///   - owner: the entity type so far, or `nil` in a complex type and for an operation.
    ///   - keys: those that are known here.
    ///   - given: the name, where the item has none.
    func property(
        _ item: YAMLField,
        _ owner: PropertyOwner?,
        _ declared: DeclaredTypes,
        keys: Set<String> = propertyKeys,
        name given: String? = nil
    ) throws(DomainError) -> Property {
        let fields = try item.fields(keys)
        let wire: String
        if let given { wire = given } else { wire = try name(try fields.required("name", of: item)) }
        let structure = try structure(item, fields, declared)
        var type = structure == nil ? nil : PrimitiveType.string
        if let typeField = fields["type"] {
            let found = try primitiveType(typeField)
            guard structure == nil || found == .string else {
                throw typeField.error(.value, "\(typeField.path) is not String, but the column holds JSON.")
            }
            type = found
        }
        guard let type else { throw item.error(.key, "\(item.path) lacks \"type\".") }
        var property = Property(
            names: Names(wire: wire, code: try fields["code"]?.string(), database: try fields["column"]?.string()),
            type: type,
            isNullable: try fields["nullable"]?.bool() ?? true,
            maxLength: try fields["maxLength"]?.integer(1...Int(Int32.max)),
            precision: try fields["precision"]?.integer(0...38),
            scale: try fields["scale"]?.integer(0...38)
        )
        property.structure = structure
        if let field = fields["generated"] { property.generation = try field.choice([.none, .onInsert, .always]) }
        if let field = fields["storage"] { property.storage = try field.choice(StorageForm.allCases) }
        if let field = fields["enum"] { property.enumeration = try enumeration(field, property, declared) }
        if let field = fields["default"] { property.defaultValue = try value(field, of: property) }
        if property.storage == .decimalScaled, property.scale == nil {
            throw item.error(.value, "\(item.path) is stored as a scaled integer, so it needs a scale.")
        }
        if let owner { try place(fields, item, in: owner, of: &property) }
        if let field = fields["table"] {
            property.items = try items(field, of: &property, isOwned: owner != nil, declared)
        }
        try readRules(fields, of: &property)
        return property
    }

    private func primitiveType(_ field: YAMLField) throws(DomainError) -> PrimitiveType {
        let name = try field.string()
        guard let type = PrimitiveType(rawValue: name.hasPrefix("Edm.") ? name : "Edm.\(name)") else {
            throw field.error(.value, "\(field.path) is \"\(name)\", which is no primitive type of OData.")
        }
        return type
    }

    private func enumeration(
        _ field: YAMLField,
        _ property: Property,
        _ declared: DeclaredTypes
    ) throws(DomainError) -> String {
        let name = try field.string()
        guard let type = declared.enumeration(name) else {
            throw field.error(.name, "\(field.path) is \"\(name)\", and there is no such enumeration.")
        }
        guard property.type == type.underlyingType else {
            throw field.error(.value, "\(field.path) needs the type \(type.underlyingType.rawValue.dropFirst(4)).")
        }
        return name
    }

    private func structure(
        _ item: YAMLField,
        _ fields: [String: YAMLField],
        _ declared: DeclaredTypes
    ) throws(DomainError) -> Structure? {
        let given = ["complex", "collection", "dynamic"].filter { fields[$0] != nil }
        guard given.count < 2 else { throw item.error(.key, "\(item.path) has \(given.joined(separator: " and ")).") }
        if let field = fields["dynamic"] { return try field.bool() ? .dynamic : nil }
        if let field = fields["complex"] {
            let name = try field.string()
            guard declared.complexType(name) != nil else {
                throw field.error(.name, "\(field.path) is \"\(name)\", and there is no such complex type.")
            }
            return .complex(name)
        }
        guard let field = fields["collection"] else { return nil }
        let name = try field.string()
        let isNullable = try fields["nullItems"]?.bool() ?? false
        if declared.complexType(name) != nil { return .collection(of: .complex(name), itemsNullable: isNullable) }
        if declared.enumeration(name) != nil { return .collection(of: .enumeration(name), itemsNullable: isNullable) }
        return .collection(of: .primitive(try primitiveType(field)), itemsNullable: isNullable)
    }

    /// Where the property stands: in a complex property, in a derived type.
    private func place(
        _ fields: [String: YAMLField],
        _ item: YAMLField,
        in owner: PropertyOwner,
        of property: inout Property
    ) throws(DomainError) {
        if let field = fields["in"] { property.container = try container(field, of: owner.type) }
        guard let field = fields["of"] else { return }
        property.declaringType = try field.string()
        guard owner.derivedNames.contains(try field.string()) else {
            throw field.error(.name, "\(field.path) is \"\(try field.string())\", and there is no such derived type.")
        }
        guard property.isNullable else {
            throw item.error(.value, "\(item.path) is of a derived type, so rows of other types have null in it.")
        }
    }

    private func readRules(_ fields: [String: YAMLField], of property: inout Property) throws(DomainError) {
        property.isImmutable = try fields["immutable"]?.bool() ?? false
        property.isReadOnly = try fields["readOnly"]?.bool() ?? false
        property.srid = try fields["srid"]?.integer(0...999_999)
        if let field = fields["pattern"] { property.pattern = try pattern(field, of: property) }
        property.description = try fields["description"]?.string()
        if let field = fields["min"] { property.minimum = try value(field, of: property) }
        if let field = fields["max"] { property.maximum = try value(field, of: property) }
        for field in try fields["allowed"]?.items() ?? [] {
            guard property.structure == nil else {
                throw field.error(.value, "\(field.path) is of a property without plain values.")
            }
            property.allowedValues.append(try value(field, of: property))
        }
        if let field = fields["unit"] { property.measure = .unit(try field.string()) }
        if let field = fields["currency"] { property.measure = .currency(try field.string()) }
        if let field = fields["conflict"] {
            let policy = try conflictPolicy(field)
            if let reason = policy.mismatch(with: property) {
                throw field.error(.value, "\(field.path) is \"\(policy.text)\", which \(reason).")
            }
            property.conflictPolicy = policy
        }
    }

    /// `counter`, `words else ask`, `custom(Prices)`.
    func conflictPolicy(_ field: YAMLField) throws(DomainError) -> ConflictPolicy {
        let text = try field.string()
        guard let policy = ConflictPolicy(text: text) else {
            let rules = ConflictPolicy.ruleNames.joined(separator: ", ")
            let fallbacks = ConflictPolicy.Fallback.allCases.map(\.rawValue).joined(separator: ", ")
            throw field.error(
                .value,
                "\(field.path) is \"\(text)\", which is none of \(rules), alone or before \"else\" and one of \(fallbacks)."
            )
        }
        return policy
    }

    /// A pattern of the subset that is matched in linear time: others could not be kept.
    private func pattern(_ field: YAMLField, of property: Property) throws(DomainError) -> String {
        let text = try field.string()
        guard property.type == .string else {
            throw field.error(.value, "\(field.path) is of a property that is no text.")
        }
        do throws(Pattern.Failure) {
            _ = try Pattern(text)
        } catch {
            switch error {
            case .invalid(let what): throw field.error(.value, "\(field.path) is no pattern: \(what).")
            case .unsupported(let what): throw field.error(.value, "\(field.path) has \(what), which is not supported.")
            }
        }
        return text
    }

    /// A value of the property's type; for an enumeration its member's number.
    func value(_ field: YAMLField, of property: Property) throws(DomainError) -> Value {
        guard !field.isNull, let value = Value(text: try field.string(), as: property.type) else {
            throw field.error(.value, "\(field.path) is not a value of \(property.type.rawValue).")
        }
        return value
    }

    /// The streams, once all properties are known: one may hold the media type of another.
    func readStreams(_ list: YAMLField, of type: inout EntityType, _ set: String) throws(DomainError) {
        for (place, item) in try list.items().enumerated() {
            guard let field = try item.fields(Self.propertyKeys)["stream"] else { continue }
            let fields = try field.fields(["type", "typeProperty", "file"])
            var stream = MediaStream()
            if let field = fields["type"] { stream.contentType = try field.string() }
            if let field = fields["typeProperty"] {
                stream.contentTypeProperty = try self.place(field, in: type, of: set)
            }
            stream.isFile = try fields["file"]?.bool() ?? false
            guard type.properties[place].type == (stream.isFile ? .string : .binary) else {
                throw field.error(.value, "\(field.path) needs the type \(stream.isFile ? "String" : "Binary").")
            }
            type.properties[place].stream = stream
        }
    }
}
