// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ModelBuilder {
    /// The operations of the document; what the model has no place for is left out with a warning.
    mutating func operations(in model: EntityModel, _ children: [Schema.ContainerChild]) -> [EdmOperation] {
        var operations: [EdmOperation] = []
        for raw in lookup.operations {
            guard var operation = operation(raw, in: model) else {
                let what = raw.isFunction ? "function" : "action"
                warn(
                    "The \(what) ‘\(raw.name)’ is left out: the type of a parameter or of the result has no place here."
                )
                continue
            }
            let kind: Schema.ContainerChild.Kind = raw.isFunction ? .functionImport : .actionImport
            if !raw.isBound {
                operation.imports = children.compactMap { child in
                    guard child.kind == kind, TypeLookup.local(child.type) == raw.name else { return nil }
                    if let set = child.entitySet, let name = set.split(separator: "/").last.map(String.init) {
                        place(operation: &operation, in: name, of: model)
                    }
                    return OperationImport(child.name, isInServiceDocument: child.isInServiceDocument == true)
                }
            }
            operations.append(operation)
        }
        return operations
    }

    /// Says of the entities that an import gives from which of several sets of their type they are.
    private func place(operation: inout EdmOperation, in set: String, of model: EntityModel) {
        guard case .entity(let old, let derived)? = operation.returnType?.element, old != set,
            let type = model[set: set]?.type.names.wire, type == model[set: old]?.type.names.wire
        else { return }
        operation.returnType?.element = .entity(set: set, derivedType: derived)
    }

    private func operation(_ raw: Schema.Operation, in model: EntityModel) -> EdmOperation? {
        var operation = EdmOperation(
            names: Names(wire: raw.name),
            kind: raw.isFunction ? .function : .action
        )
        operation.isComposable = raw.isComposable
        operation.description = description(raw.annotations)
        var parameters = raw.parameters[...]
        if raw.isBound {
            guard let first = parameters.popFirst(), let type = type(first.type, in: model),
                case .entity(let set, let derived) = type.element
            else { return nil }
            operation.binding = OperationBinding(
                name: first.name,
                set: set,
                derivedType: derived,
                isCollection: type.isCollection
            )
        }
        for raw in parameters {
            guard let type = type(raw.type, in: model), type.entitySet == nil else { return nil }
            operation.parameters.append(parameter(raw, type, in: model))
        }
        if let raw = raw.returnType {
            guard let type = type(raw.type, in: model) else { return nil }
            operation.returnType = type
        }
        return operation
    }

    private func parameter(_ raw: Schema.Parameter, _ type: OperationType, in model: EntityModel) -> OperationParameter
    {
        var parameter = OperationParameter(names: Names(wire: raw.name), type: type)
        parameter.description = description(raw.annotations)
        guard let optional = raw.annotations.first(where: { $0.isTerm(.core, "OptionalParameter") }) else {
            return parameter
        }
        parameter.isOptional = true
        if let text = optional.value?["DefaultValue"]?.text, let property = model.property(of: parameter) {
            if let name = property.enumeration {
                parameter.defaultValue = model[enumeration: name]?.value(of: text).map(Value.integer)
            } else {
                parameter.defaultValue = Value(text: text, as: property.type)
            }
        }
        return parameter
    }

    private func description(_ annotations: [Annotation]) -> String? {
        annotations.first { $0.isTerm(.core, "Description") }?.value?.text
    }

    private func type(_ use: Schema.TypeUse, in model: EntityModel) -> OperationType? {
        let use = lookup.withoutDefinition(use)
        guard let element = element(use, in: model) else { return nil }
        var type = OperationType(element, isCollection: use.isCollection)
        type.isNullable = use.isCollection ? use.isNullable == true : use.isNullable != false
        type.maxLength = use.maxLength.flatMap { Int($0) }
        guard case .primitive(let primitive) = element else { return type }
        type.precision = use.precision.flatMap { Int($0) }.flatMap { primitive != .decimal && $0 >= 9 ? nil : $0 }
        if primitive == .decimal { type.scale = use.scale == nil ? 0 : use.scale.flatMap { Int($0) } }
        type.srid = primitive.isSpatial ? use.srid.flatMap { Int($0) } : nil
        return type
    }

    private func element(_ use: Schema.TypeUse, in model: EntityModel) -> OperationType.Element? {
        if let primitive = PrimitiveType(rawValue: use.name) { return .primitive(primitive) }
        if let enumeration = lookup.enumeration(use.name) { return .enumeration(enumeration.name) }
        guard let raw = lookup.structured(use.name) else { return nil }
        guard raw.isEntity else { return .complex(raw.name) }
        for set in model.sets {
            if set.type.names.wire == raw.name { return .entity(set: set.names.wire) }
        }
        for set in model.sets where set.type.derivedTypes.contains(where: { $0.names.wire == raw.name }) {
            return .entity(set: set.names.wire, derivedType: raw.name)
        }
        return nil
    }
}
