// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Says the operations of a model as a schema has them.
///
/// Source: OData CSDL 4.01, sections 12, 13.5 and 13.6; vocabulary Core V1, `OptionalParameter`.
struct OperationDescriber {
    let model: EntityModel

    func operations() -> [Schema.Operation] { model.operations.map(operation) }

    /// The imports, each once: one stands for all overloads of a function.
    func imports() -> [Schema.ContainerChild] {
        var names: Set<String> = []
        var children: [Schema.ContainerChild] = []
        for operation in model.operations where !operation.isBound {
            for imported in operation.imports where names.insert(imported.name).inserted {
                var child = Schema.ContainerChild(
                    kind: operation.kind == .function ? .functionImport : .actionImport,
                    name: imported.name,
                    type: qualified(operation.names.wire)
                )
                child.entitySet = entitySet(of: operation)
                child.isInServiceDocument = imported.isInServiceDocument ? true : nil
                children.append(child)
            }
        }
        return children
    }

    private func qualified(_ name: String) -> String { "\(model.namespace).\(name)" }

    /// The set of the entities that it returns; contained ones are in none.
    private func entitySet(of operation: EdmOperation) -> String? {
        operation.returnType?.entitySet.flatMap { model[set: $0] }.flatMap { $0.isContained ? nil : $0.names.wire }
    }

    private func operation(_ operation: EdmOperation) -> Schema.Operation {
        var result = Schema.Operation(isFunction: operation.kind == .function, name: operation.names.wire)
        result.isComposable = operation.isComposable
        if let binding = operation.binding {
            result.isBound = true
            let type = OperationType(
                .entity(set: binding.set, derivedType: binding.derivedType),
                isCollection: binding.isCollection,
                isNullable: false
            )
            result.parameters.append(Schema.Parameter(name: binding.name, type: use(of: type)))
            // The way from what it is called on to what it returns: only the empty one can be said of a table.
            if operation.returnType?.entitySet == binding.set { result.entitySetPath = binding.name }
        }
        result.parameters += operation.parameters.map { parameter in
            Schema.Parameter(
                name: parameter.names.wire,
                type: use(of: parameter.type),
                annotations: annotations(of: parameter)
            )
        }
        result.returnType = operation.returnType.map { Schema.ReturnType(type: use(of: $0)) }
        result.annotations = described(operation.description)
        return result
    }

    private func described(_ text: String?) -> [Annotation] {
        text.map { [Annotation(Vocabulary.core.term("Description"), .string($0))] } ?? []
    }

    private func annotations(of parameter: OperationParameter) -> [Annotation] {
        var annotations = described(parameter.description)
        guard parameter.isOptional else { return annotations }
        let text = parameter.defaultValue.flatMap { value -> String? in
            guard case .integer(let number) = value, case .enumeration(let name) = parameter.type.element else {
                return value.text
            }
            return model[enumeration: name]?.text(of: number)
        }
        let record = text.map { AnnotationExpression.members([("DefaultValue", .string($0))]) }
        annotations.append(
            Annotation(Vocabulary.core.term("OptionalParameter"), record ?? .record(AnnotationExpression.Record()))
        )
        return annotations
    }

    private func use(of type: OperationType) -> Schema.TypeUse {
        guard let property = model.property(Names(wire: ""), of: type) else {
            var use = Schema.TypeUse(qualified(model.typeName(of: type.element)))
            use.isCollection = type.isCollection
            use.isNullable = type.isNullable ? nil : false
            if type.isCollection { use.isNullable = type.isNullable }
            return use
        }
        return TypeUses.use(of: property, namespace: model.namespace)
    }
}
