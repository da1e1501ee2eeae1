// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension OperationResult {
    /// The result as one value in the form of ``TidelineModel/EntityModel/property(_:of:)``; null for entities.
    ///
    /// A complex value is JSON text, as is a collection.
    package func value(of type: OperationType, in model: EntityModel) -> Value {
        let columns = model.resultColumns(of: type)
        switch type.element {
        case .entity: return .null
        case .primitive, .enumeration:
            guard type.isCollection else { return rows.first?.first ?? .null }
            guard let column = columns.first else { return .null }
            let items = rows.compactMap(\.first).map { Self.json($0, column, model) }
            return .string(JSONValue.array(items).text)
        case .complex:
            let items = rows.map { row -> JSONValue in
                let members = zip(columns, row).map { column, value in
                    JSONValue.Member(name: column.names.wire, value: Self.json(value, column, model))
                }
                return .object(members)
            }
            if type.isCollection { return .string(JSONValue.array(items).text) }
            return items.first.map { .string($0.text) } ?? .null
        }
    }

    private static func json(_ value: Value, _ property: Property, _ model: EntityModel) -> JSONValue {
        switch value {
        case .string(let text) where property.structure != nil: return JSONValue(text) ?? .null
        case .integer(let number):
            guard let enumeration = model.enumeration(of: property) else { return JSONValue(value) }
            return .string(enumeration.text(of: number))
        case .geography(let shape): return shape.json
        default: return JSONValue(value)
        }
    }
}
