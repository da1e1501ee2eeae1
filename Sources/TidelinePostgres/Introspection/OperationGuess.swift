// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Makes operations of the functions and procedures of a schema.
///
///     STABLE, IMMUTABLE functions  →  functions          VOLATILE functions, procedures  →  actions
///
/// The rows of a published table are its entities; several columns, and all that comes out of a procedure, are a complex
/// type. What cannot be said in OData is left out with a note.
struct OperationGuess {
    private(set) var model: EntityModel
    private(set) var enumerations: Enumerations
    private(set) var problems: [Introspection.Problem] = []
    private let schema: String
    private var types: WireNames
    private var containerNames: WireNames
    /// The wire name and the import of each routine's name: overloads share it.
    private var names: [String: (wire: String, imported: String)] = [:]

    /// Why a routine is left out: the end of a sentence that begins with it.
    private struct Reason: Error { var text: String }

    init(model: EntityModel, schema: String, enumerations: Enumerations) {
        self.model = model
        self.schema = schema
        self.enumerations = enumerations
        types = WireNames(
            taken: ["Container"] + model.sets.map(\.type.names.wire) + model.enumerations.map(\.names.wire)
                + model.complexTypes.map(\.names.wire)
        )
        containerNames = WireNames(taken: model.sets.map(\.names.wire))
    }

    mutating func add(_ routines: [Routine]) {
        let counts = Dictionary(routines.map { ($0.name, 1) }, uniquingKeysWith: +)
        for routine in routines {
            do throws(Reason) {
                try add(routine, isOverloaded: (counts[routine.name] ?? 0) > 1)
            } catch {
                let what = routine.isProcedure ? "procedure" : "function"
                problems.append(.note(routine.name, "The \(what) \(routine.signature) \(error.text); it is left out."))
            }
        }
    }

    private mutating func add(_ routine: Routine, isOverloaded: Bool) throws(Reason) {
        let kind: EdmOperation.Kind = routine.isProcedure || routine.isVolatile ? .action : .function
        let name = name(routine)
        var operation = EdmOperation(
            names: Names(wire: name.wire, code: WireNames.code(name.wire, capital: false)),
            kind: kind,
            imports: [OperationImport(name.imported)],
            body: .routine(isOverloaded ? routine.signature : routine.quotedName, isProcedure: routine.isProcedure),
            description: routine.description
        )
        operation.parameters = try parameters(routine)
        let before = model.complexTypes.count
        operation.returnType = try result(routine, name.wire)
        operation.isComposable = kind == .function && operation.returnType?.entitySet != nil
        var alone = model
        alone.operations = model.operations(named: name.wire) + [operation]
        if let problem = alone.operationProblems().first {
            model.complexTypes.removeSubrange(before...)
            throw Reason(text: "cannot stand beside the others of its name: \(problem.message.dropLast())")
        }
        model.operations.append(operation)
    }

    private mutating func name(_ routine: Routine) -> (wire: String, imported: String) {
        if let known = names[routine.name] { return known }
        let wire = types.unique(routine.name)
        let name = (wire: wire, imported: containerNames.unique(wire))
        names[routine.name] = name
        return name
    }

    // MARK: Parameters

    private mutating func parameters(_ routine: Routine) throws(Reason) -> [OperationParameter] {
        var names = WireNames(taken: ["it", "me"])
        var parameters: [OperationParameter] = []
        let inputs = routine.inputs
        for (place, argument) in inputs.enumerated() {
            guard argument.mode != .variadic else { throw Reason(text: "takes any number of arguments") }
            let database = Routine.databaseName(argument, at: place)
            let wire = names.unique(argument.name.isEmpty ? "p\(place + 1)" : argument.name)
            guard let type = try type(argument.type) else {
                throw Reason(text: "has the argument \(database) of the type \(argument.type.declared)")
            }
            parameters.append(
                OperationParameter(
                    names: Names(wire: wire, code: WireNames.code(wire, capital: false), database: database),
                    type: type,
                    isOptional: place >= inputs.count - routine.defaults
                )
            )
        }
        return parameters
    }

    // MARK: Results

    private mutating func result(_ routine: Routine, _ wire: String) throws(Reason) -> OperationType? {
        let outputs = routine.outputs
        if routine.isProcedure {
            if outputs.contains(where: { $0.type.base.kind == .array }) { throw Reason(text: "gives an array") }
            return outputs.isEmpty ? nil : try complex(outputs, wire)
        }
        if outputs.count > 1 || outputs.contains(where: { $0.mode == .column }) {
            var type = try complex(outputs, wire)
            type.isCollection = routine.returnsSet
            return type
        }
        let returned = outputs.first?.type ?? routine.returnType
        if returned.base.name == "void" {
            guard routine.isVolatile else { throw Reason(text: "neither gives nor changes anything") }
            return nil
        }
        if let relation = returned.relation {
            let set = model.sets.first { $0.names.database == relation.name }
            guard relation.schema == schema, let set else {
                throw Reason(text: "gives rows of \(relation.name), which is not published")
            }
            return OperationType(
                .entity(set: set.names.wire),
                isCollection: routine.returnsSet,
                isNullable: !routine.returnsSet
            )
        }
        guard var type = try type(returned) else { throw Reason(text: "gives a \(returned.declared)") }
        if routine.returnsSet {
            guard !type.isCollection else { throw Reason(text: "gives rows of arrays") }
            type.isCollection = true
        }
        return type
    }

    /// A complex type of what comes out.
    private mutating func complex(_ outputs: [Routine.Argument], _ wire: String) throws(Reason) -> OperationType {
        var names = WireNames()
        var properties: [Property] = []
        for (place, output) in outputs.enumerated() {
            let column = output.name.isEmpty ? "column\(place + 1)" : output.name
            guard let type = try type(output.type),
                let property = model.property(Names(wire: names.unique(column)), of: type)
            else { throw Reason(text: "gives \(column) of the type \(output.type.declared)") }
            guard property.names.wire == column else {
                throw Reason(text: "gives \(column), which is no name in OData")
            }
            properties.append(property)
        }
        let name = types.unique("\(wire)Result")
        model.complexTypes.append(ComplexType(names: Names(wire: name), properties: properties))
        return OperationType(.complex(name), isNullable: false)
    }

    private mutating func type(_ type: RoutineType) throws(Reason) -> OperationType? {
        if type.base.kind == .enumeration {
            let isKnown = enumerations.types.contains { $0.names.database == type.base.name }
            // An entity type or an operation may have its name by now.
            guard isKnown || types.isFree(WireNames.identifier(type.base.name)),
                let name = enumerations.type(type.base.identifier)
            else { return nil }
            if !isKnown { _ = types.unique(name) }
            var result = OperationType(.enumeration(name))
            result.storage = .memberName
            if !isKnown { model.enumerations += enumerations.types.filter { $0.names.wire == name } }
            return result
        }
        guard let choice = TypeChoice.choose(type.base, column: "") else { return nil }
        var result = OperationType(
            .primitive(choice.type),
            maxLength: choice.maxLength,
            precision: choice.precision,
            scale: choice.scale
        )
        if case .collection(.primitive(let element), let isNullable)? = choice.structure {
            result.element = .primitive(element)
            result.isCollection = true
            result.isNullable = isNullable
        }
        return result
    }
}
