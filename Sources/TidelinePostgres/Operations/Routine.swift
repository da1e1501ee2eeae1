// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A function or procedure of the database, as the catalog has it.
struct Routine: Sendable {
    /// What an argument is for: `pg_proc.proargmodes`.
    enum Mode: String {
        case input = "i"
        case output = "o"
        case both = "b"
        case variadic = "v"
        case column = "t"

        var isInput: Bool { self == .input || self == .both || self == .variadic }
        var isOutput: Bool { self == .output || self == .both || self == .column }
    }

    struct Argument: Sendable {
        /// Empty where it has none.
        var name: String
        var mode: Mode
        var type: RoutineType
    }

    var schema: String
    var name: String
    /// The name as SQL takes it, in quotes where it needs them.
    var quotedName: String
    var isProcedure: Bool
    /// Whether it may change the database.
    var isVolatile: Bool
    var returnsSet: Bool
    var returnType: RoutineType
    var arguments: [Argument] = []
    /// How many of the last inputs have defaults.
    var defaults: Int
    var description: String?

    var inputs: [Argument] { arguments.filter(\.mode.isInput) }
    var outputs: [Argument] { arguments.filter(\.mode.isOutput) }

    /// The name of an input in an operation's model: its own, or `$1` by its place.
    static func databaseName(_ argument: Argument, at place: Int) -> String {
        argument.name.isEmpty ? "$\(place + 1)" : argument.name
    }

    /// The name with the types of its inputs, which tells it from its overloads.
    var signature: String { "\(quotedName)(\(inputs.map(\.type.declared).joined(separator: ", ")))" }
}

/// A type of an argument or a result.
struct RoutineType: Sendable {
    /// Looked at through domains.
    var base: ColumnType
    /// As SQL writes it.
    var declared: String
    /// The table or view whose rows it is made of, with its schema.
    var relation: (schema: String, name: String)?
}
