// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The SQL that calls a routine.
struct RoutineCall {
    let routine: Routine
    let operation: EdmOperation

    /// - Throws: ``StorageError`` `unsupported` where the operation's parameters are not the routine's.
    init(_ routine: Routine, _ operation: EdmOperation) throws {
        self.routine = routine
        self.operation = operation
        let inputs = routine.inputs.enumerated().map { Routine.databaseName($1, at: $0) }
        for parameter in operation.parameters where !inputs.contains(parameter.names.database) {
            throw operation.unusable("\(routine.name) has no argument \(parameter.names.database)")
        }
        for (place, name) in inputs.enumerated() where place < inputs.count - routine.defaults {
            guard operation.parameters.contains(where: { $0.names.database == name }) else {
                throw operation.unusable("the argument \(name) of \(routine.name) has no default and no parameter")
            }
        }
        if operation.binding != nil { throw operation.unusable("a routine is not bound to anything: give it SQL") }
    }

    /// - Parameter values: what stands for each parameter, by its name on the wire.
    func sql(_ call: OperationCall, _ values: [String: SQLFragment]) throws -> SQLFragment {
        let name: SQLFragment = "\(name: routine.schema).\(name: routine.name)"
        let arguments = try arguments(call, values)
        let list = SQLFragment(arguments, separator: ", ")
        return routine.isProcedure ? "CALL \(name)(\(list))" : "SELECT * FROM \(name)(\(list))"
    }

    private func arguments(_ call: OperationCall, _ values: [String: SQLFragment]) throws -> [SQLFragment] {
        var arguments: [SQLFragment] = []
        var isNamed = false
        var input = 0
        for argument in routine.arguments where argument.mode.isInput || routine.isProcedure {
            guard argument.mode.isInput else {
                // What comes out has a place in the call, and no value.
                arguments.append(isNamed && !argument.name.isEmpty ? "\(name: argument.name) => NULL" : "NULL")
                continue
            }
            let name = Routine.databaseName(argument, at: input)
            let hasDefault = input >= routine.inputs.count - routine.defaults
            input += 1
            let place = operation.parameters.firstIndex { $0.names.database == name }
            let isLeftOut = place.map { place in
                let given = call.arguments.indices.contains(place) ? call.arguments[place] : nil
                return given == nil && operation.parameters[place].defaultValue == nil
            }
            if isLeftOut ?? true, hasDefault {
                // What follows is told by its name.
                isNamed = true
                continue
            }
            guard !isNamed || !argument.name.isEmpty else {
                throw StorageError(
                    .constraint,
                    message: "\(operation.names.wire): a parameter before one that is given cannot be left out."
                )
            }
            let value = place.flatMap { values[operation.parameters[$0].names.wire] } ?? "NULL"
            let cast = cast(value, argument.type)
            arguments.append(argument.name.isEmpty ? cast : "\(name: argument.name) => \(cast)")
            isNamed = isNamed || !argument.name.isEmpty
        }
        return arguments
    }

    private func cast(_ value: SQLFragment, _ type: RoutineType) -> SQLFragment {
        guard type.base.kind == .array else { return "CAST(\(value) AS \(SQLFragment(raw: type.declared)))" }
        let items: SQLFragment =
            "jsonb_array_elements_text(CAST(\(value) AS jsonb)) WITH ORDINALITY AS a(item, place)"
        // The array's own cast makes elements of the type that they have.
        let list: SQLFragment = "ARRAY(SELECT item FROM \(items) ORDER BY place)"
        return "CASE WHEN \(value) IS NOT NULL THEN CAST(\(list) AS \(SQLFragment(raw: type.declared))) END"
    }
}
