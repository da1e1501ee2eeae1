// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Yams

extension ModelReader {
    /// The enumerations and complex types of the file.
    ///
    /// - Parameter names: the names of types in lower case, which grow by these.
    func declaredTypes(_ names: inout Set<String>) throws(DomainError) -> DeclaredTypes {
        var declared = DeclaredTypes()
        for item in try fields["enumerations"]?.items() ?? [] {
            let type = try enumeration(item)
            guard names.insert(type.names.wire.lowercased()).inserted else {
                throw item.error(.name, "There are two types named \(type.names.wire).")
            }
            declared.enumerations.append(type)
        }
        for item in try fields["complexTypes"]?.items() ?? [] {
            let type = try complexType(item, declared)
            guard names.insert(type.names.wire.lowercased()).inserted else {
                throw item.error(.name, "There are two types named \(type.names.wire).")
            }
            declared.complexTypes.append(type)
        }
        return declared
    }

    private func enumeration(_ item: YAMLField) throws(DomainError) -> EnumerationType {
        let fields = try item.fields(["name", "code", "database", "type", "flags", "members", "description"])
        let wire = try name(try fields.required("name", of: item))
        var type = EnumerationType(
            names: Names(wire: wire, code: try fields["code"]?.string(), database: try fields["database"]?.string()),
            members: []
        )
        if let field = fields["type"] {
            let name = "Edm.\(try field.string())"
            guard let underlying = PrimitiveType(rawValue: name), underlying.integerRange != nil else {
                throw field.error(.value, "\(field.path) is \"\(try field.string())\", which is no integer type.")
            }
            type.underlyingType = underlying
        }
        type.isFlags = try fields["flags"]?.bool() ?? false
        type.description = try fields["description"]?.string()
        let list = try fields.required("members", of: item)
        for (place, item) in try list.items().enumerated() {
            let member = try member(item, type, number: place)
            guard !type.members.contains(where: { $0.name == member.name }) else {
                throw item.error(.name, "\(item.path) is a second member \(member.name).")
            }
            type.members.append(member)
        }
        guard !type.members.isEmpty else { throw list.error(.value, "\(list.path) is empty.") }
        return type
    }

    /// A member: its name alone, numbered by its place, or a mapping.
    private func member(
        _ item: YAMLField,
        _ type: EnumerationType,
        number: Int
    ) throws(DomainError) -> EnumerationType.Member {
        let standard = type.isFlags ? Int64(1) << Int64(min(number, 62)) : Int64(number)
        if case .scalar = item.node { return EnumerationType.Member(try name(item), standard) }
        let fields = try item.fields(["name", "value", "description"])
        var member = EnumerationType.Member(try name(try fields.required("name", of: item)), standard)
        if let field = fields["value"] {
            guard let value = Int64(try field.string()), type.underlyingType.integerRange?.contains(value) == true
            else {
                throw field.error(.value, "\(field.path) is not a value of \(type.underlyingType.rawValue).")
            }
            member.value = value
        }
        member.description = try fields["description"]?.string()
        return member
    }

    private func complexType(_ item: YAMLField, _ declared: DeclaredTypes) throws(DomainError) -> ComplexType {
        let fields = try item.fields([
            "name", "code", "database", "base", "abstract", "open", "properties", "description",
        ])
        let wire = try name(try fields.required("name", of: item))
        var type = ComplexType(
            names: Names(wire: wire, code: try fields["code"]?.string(), database: try fields["database"]?.string()),
            properties: []
        )
        if let field = fields["base"] {
            type.baseType = try field.string()
            guard declared.complexType(try field.string()) != nil else {
                throw field.error(.name, "\(field.path) is \"\(try field.string())\", and no such type stands above.")
            }
        }
        type.isAbstract = try fields["abstract"]?.bool() ?? false
        type.isOpen = try fields["open"]?.bool() ?? false
        type.description = try fields["description"]?.string()
        for field in try fields["properties"]?.items() ?? [] {
            let property = try property(field, nil, declared)
            guard !type.properties.contains(where: { $0.names.wire == property.names.wire }) else {
                throw field.error(.name, "\(wire) has two properties named \(property.names.wire).")
            }
            type.properties.append(property)
        }
        return type
    }

    // MARK: Singletons

    /// - Parameter names: the names of the sets in lower case.
    func singletons(of model: EntityModel, _ names: inout Set<String>) throws(DomainError) -> [Singleton] {
        var singletons: [Singleton] = []
        for item in try fields["singletons"]?.items() ?? [] {
            let fields = try item.fields(["name", "code", "set", "key", "nullable", "description"])
            let wire = try name(try fields.required("name", of: item))
            guard names.insert(wire.lowercased()).inserted else {
                throw item.error(.name, "There are two sets or singletons named \(wire); letter case does not count.")
            }
            let setField = try fields.required("set", of: item)
            guard let set = model[set: try setField.string()] else {
                throw setField.error(
                    .name,
                    "\(setField.path) is \"\(try setField.string())\", and there is no such set."
                )
            }
            var singleton = Singleton(names: Names(wire: wire, code: try fields["code"]?.string()), set: set.names.wire)
            if let field = fields["key"] {
                let items = try field.items()
                guard items.count == set.type.key.count else {
                    throw field.error(.value, "\(field.path) has not the values of the key of \(set.names.wire).")
                }
                var values: [Value] = []
                for (item, place) in zip(items, set.type.key) {
                    values.append(try value(item, of: set.type.properties[place]))
                }
                singleton.key = Key(values)
            }
            singleton.isNullable = try fields["nullable"]?.bool() ?? false
            singleton.description = try fields["description"]?.string()
            singletons.append(singleton)
        }
        return singletons
    }
}
