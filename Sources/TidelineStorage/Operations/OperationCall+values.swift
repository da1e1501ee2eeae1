// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension OperationCall {
    /// What stands for each parameter of the operation's SQL.
    ///
    /// - Throws: ``StorageError`` `constraint` for a value that has no form here, `unsupported` for a key of another set.
    package func values(
        in model: EntityModel,
        _ language: OperationScript.Language
    ) throws -> [String: SQLFragment] {
        var values: [String: SQLFragment] = ["me": try OperationCall.fragment(of: user.id, language)]
        for parameter in operation.parameters {
            guard let property = model.property(of: parameter) else { continue }
            let name = parameter.names.wire
            values[name] = try OperationCall.fragment(argument(name), of: property, in: model, language)
        }
        guard let binding = operation.binding, let type = model[set: binding.set]?.type else { return values }
        let properties = type.key.map { type.properties[$0] }
        if binding.isCollection {
            let items = keys.map { key in
                let parts = zip(key.values, properties).map { value, property in
                    OperationCall.json(value, property, model)
                }
                return parts.count == 1 ? parts[0] : JSONValue.array(parts)
            }
            values["keys"] = try OperationCall.fragment(of: .string(JSONValue.array(items).text), language)
            return values
        }
        guard let key = keys.first, key.values.count == properties.count else {
            throw operation.unusable("it is bound to an entity, and the call names none")
        }
        for (value, property) in zip(key.values, properties) {
            values[property.names.wire] = try OperationCall.fragment(value, of: property, in: model, language)
        }
        return values
    }

    /// Placeholders for all parameters, to prepare the SQL before there is a call.
    package static func sample(_ operation: EdmOperation, in model: EntityModel) -> OperationCall {
        var call = OperationCall(operation)
        if let binding = operation.binding, !binding.isCollection, let type = model[set: binding.set]?.type {
            call.keys = [Key(type.key.map { _ in .null })]
        }
        return call
    }

    private static func json(_ value: Value, _ property: Property, _ model: EntityModel) -> JSONValue {
        switch property.stored(value) {
        case .integer(let number)?: JSONValue(.integer(number))
        case .real(let number)?: JSONValue(.double(number))
        case .text(let text)?, .typed(let text, _)?: .string(text)
        default: JSONValue(value)
        }
    }

    /// A value without a property: that of the user.
    static func fragment(of value: Value, _ language: OperationScript.Language) throws -> SQLFragment {
        let stored: SQLValue
        switch value {
        case .null: stored = .null
        case .integer(let number): stored = .integer(number)
        default: stored = value.text.map(SQLValue.text) ?? .null
        }
        let bound: SQLFragment = "\(bind: stored)"
        guard language == .postgres else { return bound }
        if case .guid = value { return "CAST(\(bound) AS uuid)" }
        return stored == .null ? "CAST(\(bound) AS text)" : bound
    }

    /// A value in the form of a property, with its type where the database wants to know it.
    static func fragment(
        _ value: Value,
        of property: Property,
        in model: EntityModel,
        _ language: OperationScript.Language
    ) throws -> SQLFragment {
        let stored = try stored(value, of: property, in: model, language)
        let bound: SQLFragment = "\(bind: stored)"
        return language == .sqlite ? bound : "CAST(\(bound) AS \(raw: postgresType(of: property)))"
    }

    private static func stored(
        _ value: Value,
        of property: Property,
        in model: EntityModel,
        _ language: OperationScript.Language
    ) throws -> SQLValue {
        if value.isNull { return .null }
        if property.storage == .memberName, case .integer(let number) = value,
            let enumeration = model.enumeration(of: property)
        {
            return .text(enumeration.text(of: number))
        }
        let exact: SQLValue?
        switch language {
        case .sqlite: exact = property.stored(value)
        case .postgres:
            if case .exact(let stored) = PostgresDialect().bound(value, of: property) {
                exact = stored
            } else {
                exact = property.storage == .native ? nil : property.stored(value)
            }
        }
        guard let exact else {
            throw StorageError(
                .constraint,
                properties: [property.names.wire],
                message: "The operation has no form for the value of \(property.names.wire)."
            )
        }
        return exact
    }

    /// The type of PostgreSQL that a value of a property has.
    package static func postgresType(of property: Property) -> String {
        switch property.storage {
        case .unixSeconds, .unixMilliseconds, .decimalScaled: return "bigint"
        case .julianDay: return "double precision"
        case .guidBlob: return "bytea"
        case .native: break
        default: return "text"
        }
        switch property.type {
        case .boolean: return "boolean"
        case .byte, .sbyte, .int16: return "smallint"
        case .int32: return "integer"
        case .int64: return "bigint"
        case .decimal: return "numeric"
        case .double: return "double precision"
        case .single: return "real"
        case .guid: return "uuid"
        case .binary: return "bytea"
        case .date: return "date"
        case .timeOfDay: return "time"
        case .dateTimeOffset: return "timestamptz"
        case .duration: return "interval"
        default: return "text"
        }
    }
}
