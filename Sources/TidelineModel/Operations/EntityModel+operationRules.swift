// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension EntityModel {
    /// The rules that the model's operations break, in the order of the operations.
    ///
    /// Source: OData CSDL 4.01, sections 12.1 to 12.9, 13.5 and 13.6.
    public func operationProblems() -> [OperationProblem] {
        var check = OperationCheck(model: self)
        for operation in operations { check.look(at: operation) }
        check.overloads()
        check.imports()
        return check.problems
    }
}

/// Gathers what is wrong with the operations of a model.
private struct OperationCheck {
    let model: EntityModel
    private(set) var problems: [OperationProblem] = []

    init(model: EntityModel) { self.model = model }

    private mutating func note(_ operation: EdmOperation, _ message: String) {
        let problem = OperationProblem(operation.names.wire, message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    // MARK: One operation

    mutating func look(at operation: EdmOperation) {
        if operation.kind == .function, operation.returnType == nil { note(operation, "A function returns something.") }
        if operation.kind == .action, operation.isComposable { note(operation, "An action is not composable.") }
        if isTypeName(operation.names.wire) { note(operation, "A type has the same name.") }
        binding(of: operation)
        parameters(of: operation)
        if let type = operation.returnType, let problem = unknown(type) { note(operation, problem) }
        if let name = operation.rowsAffectedProperty {
            let columns = operation.returnType.map(model.resultColumns) ?? []
            let isInteger = columns.contains { $0.names.wire == name && $0.type.integerRange != nil }
            if !isInteger { note(operation, "Its result has no integer property ‘\(name)’ for the rows affected.") }
        }
    }

    private mutating func binding(of operation: EdmOperation) {
        guard let binding = operation.binding else { return }
        if !operation.imports.isEmpty { note(operation, "A bound operation cannot be imported.") }
        guard let set = model[set: binding.set] else {
            return note(operation, "It is bound to ‘\(binding.set)’, which is no entity set.")
        }
        if let name = binding.derivedType, !set.type.derivedTypes.contains(where: { $0.names.wire == name }) {
            note(operation, "It is bound to ‘\(name)’, which is no derived type of ‘\(binding.set)’.")
        }
        if operation.parameters.contains(where: { $0.names.wire == binding.name }) {
            note(operation, "A parameter has the name ‘\(binding.name)’ of the binding parameter.")
        }
        guard !binding.isCollection else { return }
        // Called without a namespace, an operation and a property of one name could not be told apart.
        let type = set.type
        let names = type.properties.map(\.names.wire) + type.navigationProperties.map(\.names.wire)
        if names.contains(operation.names.wire) {
            note(operation, "‘\(binding.set)’, to which it is bound, has a property of the same name.")
        }
    }

    private mutating func parameters(of operation: EdmOperation) {
        var names: Set<String> = []
        var isOptionalSeen = false
        for parameter in operation.parameters {
            let name = parameter.names.wire
            if !names.insert(name.lowercased()).inserted { note(operation, "Two parameters have the name ‘\(name)’.") }
            if parameter.type.entitySet != nil {
                note(operation, "The parameter ‘\(name)’ is an entity: only the binding parameter can be one.")
            } else if let problem = unknown(parameter.type) {
                note(operation, "The parameter ‘\(name)’: \(problem)")
            }
            if isOptionalSeen, !parameter.isOptional {
                note(operation, "The parameter ‘\(name)’ is required and stands after an optional one.")
            }
            isOptionalSeen = isOptionalSeen || parameter.isOptional
            if parameter.defaultValue != nil, !parameter.isOptional {
                note(operation, "The parameter ‘\(name)’ has a default and is not optional.")
            }
        }
    }

    private func unknown(_ type: OperationType) -> String? {
        switch type.element {
        case .primitive: nil
        case .enumeration(let name):
            model[enumeration: name] == nil ? "There is no enumeration type ‘\(name)’." : nil
        case .complex(let name):
            model[complexType: name] == nil ? "There is no complex type ‘\(name)’." : nil
        case .entity(let set, let derived):
            if let set = model[set: set] {
                derived == nil || set.type.derivedTypes.contains { $0.names.wire == derived }
                    ? nil : "‘\(derived ?? "")’ is no derived type of ‘\(set.names.wire)’."
            } else {
                "There is no entity set ‘\(set)’."
            }
        }
    }

    private func isTypeName(_ name: String) -> Bool {
        model[enumeration: name] != nil || model[complexType: name] != nil || model.container == name
            || model.sets.contains { set in
                set.type.names.wire == name || set.type.derivedTypes.contains { $0.names.wire == name }
            }
    }

    // MARK: Several operations

    /// What two operations of one name may not have in common.
    mutating func overloads() {
        for (place, operation) in model.operations.enumerated() {
            for other in model.operations[..<place] where other.names.wire == operation.names.wire {
                compare(operation, other)
            }
        }
    }

    private mutating func compare(_ operation: EdmOperation, _ other: EdmOperation) {
        guard operation.kind == other.kind else { return note(operation, "A function and an action have the name.") }
        guard isSameBinding(operation.binding, other.binding) else { return }
        if operation.kind == .action {
            let what =
                operation.isBound
                ? "Two actions of the name are bound to the same type." : "Two unbound actions have the name."
            return note(operation, what)
        }
        if let left = operation.returnType, let right = other.returnType, !left.isSameType(as: right, in: model) {
            note(operation, "Overloads with the same binding return the same type.")
        }
        if Set(operation.parameters.map(\.names.wire)) == Set(other.parameters.map(\.names.wire)) {
            note(operation, "Two overloads have parameters of the same names.")
        }
        let isSame =
            operation.parameters.count == other.parameters.count
            && zip(operation.parameters, other.parameters).allSatisfy { $0.type.isSameType(as: $1.type, in: model) }
        if isSame { note(operation, "Two overloads have parameters of the same types in the same order.") }
    }

    private func isSameBinding(_ left: OperationBinding?, _ right: OperationBinding?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        func type(_ binding: OperationBinding) -> String {
            model.typeName(of: .entity(set: binding.set, derivedType: binding.derivedType))
        }
        return left.isCollection == right.isCollection && type(left) == type(right)
    }

    /// Names of imports stand in the container beside those of sets and singletons.
    mutating func imports() {
        var owners: [String: String] = [:]
        for operation in model.operations {
            var own: Set<String> = []
            for imported in operation.imports {
                let name = imported.name
                if !own.insert(name).inserted { note(operation, "It is imported twice as ‘\(name)’.") }
                if model[set: name] != nil || model[singleton: name] != nil {
                    note(operation, "Its import has the name ‘\(name)’ of an entity set or a singleton.")
                }
                if let owner = owners[name], owner != operation.names.wire {
                    note(operation, "Its import has the name ‘\(name)’ of an import of ‘\(owner)’.")
                }
                owners[name] = operation.names.wire
                if imported.isInServiceDocument, operation.kind == .action || !operation.parameters.isEmpty {
                    note(operation, "Only a function without parameters stands in the service document.")
                }
            }
            let first = model.operations.first { $0.names.wire == operation.names.wire && !$0.isBound }
            if !operation.isBound, let first, first.imports.map(\.name) != operation.imports.map(\.name) {
                note(operation, "Its overloads are imported under other names.")
            }
        }
    }
}
