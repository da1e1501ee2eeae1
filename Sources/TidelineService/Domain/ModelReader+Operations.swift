// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import Yams

extension ModelReader {
    /// The operations of the file, and the complex types that their out parameters make.
    ///
    /// - Parameter types: the names of types in lower case, which grow by those.
    func readOperations(
        into model: inout EntityModel,
        _ declared: DeclaredTypes,
        _ types: inout Set<String>
    ) throws(DomainError) {
        guard let list = fields["operations"], !list.isNull else { return }
        let items = try list.items()
        for item in items {
            let operation = try operation(item, &model, declared, &types)
            model.operations.append(operation)
        }
        for problem in model.operationProblems() {
            // The last of several overloads is the one that was one too many.
            let place = model.operations.lastIndex { $0.names.wire == problem.operation } ?? 0
            throw items[place].error(.value, "The operation \(problem.operation): \(problem.message)")
        }
        for (operation, item) in zip(model.operations, items) {
            guard case .sql(let sqlite, let postgres)? = operation.body else { continue }
            for (sql, language) in [(sqlite, OperationScript.Language.sqlite), (postgres, .postgres)] {
                guard let sql,
                    let problem = OperationScript(sql, language: language).problem(for: operation, in: model)
                else { continue }
                throw item.error(.value, "The operation \(operation.names.wire): \(problem)")
            }
        }
    }

    private func operation(
        _ item: YAMLField,
        _ model: inout EntityModel,
        _ declared: DeclaredTypes,
        _ types: inout Set<String>
    ) throws(DomainError) -> EdmOperation {
        let fields = try item.fields(OperationKeys.operation)
        let wire = try name(try fields.required("name", of: item))
        let body = try body(item, fields, wire)
        var kind = EdmOperation.Kind.action
        if let field = fields["kind"] {
            kind = try field.choice(EdmOperation.Kind.allCases)
        } else if fields["procedure"] == nil {
            throw item.error(.key, "\(item.path) lacks \"kind\": function or action.")
        }
        var operation = EdmOperation(names: Names(wire: wire, code: try fields["code"]?.string()), kind: kind)
        operation.body = body
        operation.binding = try fields["bind"].map { field throws(DomainError) in try binding(field, model) }
        for field in try fields["parameters"]?.items() ?? [] {
            operation.parameters.append(try parameter(field, declared))
        }
        operation.isComposable = try fields["composable"]?.bool() ?? false
        operation.description = try fields["description"]?.string()
        if operation.binding == nil { operation.imports = try imports(fields, wire) }
        try readResult(fields, item, &operation, &model, declared, &types)
        return operation
    }

    // MARK: Body

    private func body(
        _ item: YAMLField,
        _ fields: [String: YAMLField],
        _ wire: String
    ) throws(DomainError) -> OperationBody {
        let given = OperationKeys.bodies.filter { fields[$0] != nil }
        guard given.count == 1, let key = given.first, let field = fields[key] else {
            let known = OperationKeys.bodies.joined(separator: ", ")
            throw item.error(.key, "The operation \(wire) has not exactly one of \(known).")
        }
        switch key {
        case "handler":
            guard try field.bool() else { throw field.error(.value, "\(field.path) can only be true.") }
            return .handler
        case "function": return .routine(try field.string(), isProcedure: false)
        case "procedure": return .routine(try field.string(), isProcedure: true)
        default: break
        }
        if case .scalar = field.node {
            let sql = try field.string()
            return .sql(sqlite: sql, postgres: sql)
        }
        let languages = try field.fields(["sqlite", "postgres"])
        return .sql(sqlite: try languages["sqlite"]?.string(), postgres: try languages["postgres"]?.string())
    }

    private func imports(_ fields: [String: YAMLField], _ wire: String) throws(DomainError) -> [OperationImport] {
        let isListed = try fields["inServiceDocument"]?.bool() ?? false
        guard let field = fields["import"] else { return [OperationImport(wire, isInServiceDocument: isListed)] }
        guard case .scalar = field.node else {
            var imports: [OperationImport] = []
            for item in try field.items() {
                imports.append(OperationImport(try name(item), isInServiceDocument: isListed))
            }
            return imports
        }
        switch try field.string() {
        case "false": return []
        case "true": return [OperationImport(wire, isInServiceDocument: isListed)]
        default: return [OperationImport(try name(field), isInServiceDocument: isListed)]
        }
    }

    // MARK: What it takes

    private func binding(_ field: YAMLField, _ model: EntityModel) throws(DomainError) -> OperationBinding {
        func set(_ field: YAMLField) throws(DomainError) -> String {
            let name = try field.string()
            if let singleton = model[singleton: name] { return singleton.set }
            guard model[set: name] != nil else {
                throw field.error(.name, "\(field.path) is \"\(name)\", and there is no such set or singleton.")
            }
            return name
        }
        if case .scalar = field.node { return OperationBinding(set: try set(field)) }
        let fields = try field.fields(OperationKeys.binding)
        var binding = OperationBinding(set: try set(try fields.required("set", of: field)))
        if let field = fields["as"] { binding.name = try name(field) }
        binding.derivedType = try fields["of"]?.string()
        binding.isCollection = try fields["collection"]?.bool() ?? false
        return binding
    }

    private func parameter(_ item: YAMLField, _ declared: DeclaredTypes) throws(DomainError) -> OperationParameter {
        let property = try property(item, nil, declared, keys: OperationKeys.parameter)
        let fields = try item.fields(OperationKeys.parameter)
        var parameter = OperationParameter(names: property.names, type: OperationType(property))
        if let field = fields["argument"] { parameter.names.database = try field.string() }
        parameter.isOptional = try fields["optional"]?.bool() ?? (fields["default"] != nil)
        parameter.defaultValue = property.defaultValue
        parameter.description = property.description
        return parameter
    }

    // MARK: What it gives

    private func readResult(
        _ fields: [String: YAMLField],
        _ item: YAMLField,
        _ operation: inout EdmOperation,
        _ model: inout EntityModel,
        _ declared: DeclaredTypes,
        _ types: inout Set<String>
    ) throws(DomainError) {
        let affected = try fields["rowsAffected"].map { field throws(DomainError) in try rowsAffected(field) } ?? nil
        if let field = fields["returns"] {
            if let out = fields["out"] {
                throw out.error(.key, "\(item.path) has \"returns\" and \"out\": out parameters are what it returns.")
            }
            operation.returnType = try returned(field, declared)
            operation.rowsAffectedProperty = affected
            return
        }
        guard fields["out"] != nil || affected != nil else { return }
        var properties: [Property] = []
        if let affected {
            properties.append(Property(names: Names(wire: affected), type: .int32, isNullable: false))
        }
        for field in try fields["out"]?.items() ?? [] {
            let property = try property(field, nil, declared)
            guard !properties.contains(where: { $0.names.wire == property.names.wire }) else {
                throw field.error(.name, "\(operation.names.wire) has two results named \(property.names.wire).")
            }
            properties.append(property)
        }
        let type = OperationText.result(of: operation, properties: properties, taken: &types)
        model.complexTypes.append(type)
        operation.returnType = OperationType(.complex(type.names.wire), isNullable: false)
        operation.rowsAffectedProperty = affected
    }

    /// `true`, or the name of the property.
    private func rowsAffected(_ field: YAMLField) throws(DomainError) -> String? {
        switch try field.string() {
        case "true": "rowsAffected"
        case "false": nil
        default: try name(field)
        }
    }

    private func returned(_ field: YAMLField, _ declared: DeclaredTypes) throws(DomainError) -> OperationType {
        guard case .mapping(let mapping) = field.node, mapping["set"] != nil else {
            return OperationType(try property(field, nil, declared, keys: OperationKeys.value, name: "value"))
        }
        let fields = try field.fields(OperationKeys.entity)
        let set = try fields.required("set", of: field).string()
        let isCollection = try fields["collection"]?.bool() ?? false
        return OperationType(
            .entity(set: set, derivedType: try fields["of"]?.string()),
            isCollection: isCollection,
            isNullable: try fields["nullable"]?.bool() ?? !isCollection
        )
    }
}

extension OperationType {
    /// The type whose values are those of a property.
    init(_ property: Property) {
        let element: Element
        var isCollection = false
        var isNullable = property.isNullable
        func named(_ item: Structure.Element) -> Element {
            switch item {
            case .primitive(let type): .primitive(type)
            case .enumeration(let name): .enumeration(name)
            case .complex(let name): .complex(name)
            }
        }
        switch property.structure {
        case .complex(let name)?: element = .complex(name)
        case .collection(let item, let itemsNullable)?:
            element = named(item)
            isCollection = true
            isNullable = itemsNullable
        case .dynamic?, nil: element = property.enumeration.map(Element.enumeration) ?? .primitive(property.type)
        }
        self.init(
            element,
            isCollection: isCollection,
            isNullable: isNullable,
            maxLength: property.maxLength,
            precision: property.precision,
            scale: property.scale,
            srid: property.srid
        )
        storage = property.storage
    }
}
