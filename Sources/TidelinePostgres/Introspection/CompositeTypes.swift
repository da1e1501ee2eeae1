// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The composite types of a database as complex types of a model: those that columns have, each once.
struct CompositeTypes {
    /// A type as the catalog has it.
    struct Found {
        var name: String
        var description: String?
        var attributes: [(name: String, type: ColumnType)] = []
    }

    private let found: [UInt32: Found]
    private var names: WireNames
    private var places: [UInt32: Int] = [:]
    private(set) var types: [ComplexType] = []

    /// - Parameter taken: names that other types have, or may have.
    init(_ found: [UInt32: Found], taken: [String]) {
        self.found = found
        names = WireNames(taken: ["Container"] + taken)
    }

    /// The choice for a column of a composite type.
    ///
    /// The attributes must be of types whose JSON, as PostgreSQL writes it, is that of OData.
    /// - Returns: `nil` where one is not, or has a name that is no identifier.
    mutating func choose(_ identifier: UInt32, column: String) -> TypeChoice? {
        guard let type = found[identifier], !type.attributes.isEmpty else { return nil }
        var properties: [Property] = []
        var misfits: [String] = []
        for (name, attribute) in type.attributes {
            guard WireNames.identifier(name) == name, attribute.kind == .base, Self.plain.contains(attribute.name),
                let choice = TypeChoice.choose(attribute, column: "(\(column)).\(SQLToken.name(name))")
            else { return nil }
            if let misfit = choice.misfit { misfits.append(misfit.condition) }
            if choice.type == .double || choice.type == .single {
                misfits.append("(\(column)).\(SQLToken.name(name))::text IN ('NaN', 'Infinity', '-Infinity')")
            }
            properties.append(
                Property(
                    names: Names(wire: name, code: WireNames.code(name, capital: false), database: name),
                    type: choice.type,
                    maxLength: choice.maxLength,
                    precision: choice.precision,
                    scale: choice.scale
                )
            )
        }
        if places[identifier] == nil {
            let wire = names.unique(type.name)
            places[identifier] = types.count
            var complex = ComplexType(
                names: Names(wire: wire, code: WireNames.code(wire, capital: true), database: type.name),
                properties: properties
            )
            complex.description = type.description
            types.append(complex)
        }
        guard let place = places[identifier] else { return nil }
        var choice = TypeChoice(type: .string, structure: .complex(types[place].names.wire))
        if !misfits.isEmpty {
            choice.misfit = (misfits.joined(separator: " OR "), "values with a part that OData cannot say")
        }
        return choice
    }

    private static let plain: Set<String> = [
        "bool", "int2", "int4", "int8", "float4", "float8", "numeric", "text", "varchar", "uuid", "date",
    ]
}
