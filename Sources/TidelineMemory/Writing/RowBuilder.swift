// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Makes the values of a row: what was given, defaults, what the database generates and computes.
struct RowBuilder {
    let schema: MemorySchema
    let place: Int
    private var set: EntitySet { schema.model.sets[place] }

    init(schema: MemorySchema, place: Int) {
        self.schema = schema
        self.place = place
    }

    /// A new row.
    ///
    /// - Parameter generate: makes the value of a property that the database makes.
    func inserted(_ given: [Int: Value], generate: (Int) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        for (place, property) in set.type.properties.enumerated() {
            switch property.generation {
            case .none: values.append(given[place] ?? property.defaultValue ?? .null)
            case .onInsert:
                let value = set.type.takesValue(place) ? given[place] : nil
                values.append(try value ?? generate(place))
            case .always: values.append(.null)
            }
        }
        return try completed(values)
    }

    /// A changed row.
    func updated(_ old: [Value], _ given: [Int: Value]) throws -> [Value] {
        var values = old
        for (place, value) in given where set.type.properties[place].generation != .always { values[place] = value }
        return try completed(values)
    }

    /// Computes what is computed and checks all values.
    private func completed(_ given: [Value]) throws -> [Value] {
        var values = given
        for (place, expression) in schema.rules.computed[set.names.wire] ?? [:] {
            values[place] = try ExpressionEvaluator(source: EntitySource(values)).value(of: expression)
        }
        for (place, property) in set.type.properties.enumerated() {
            // No rows in a table of items are an empty list.
            if property.items != nil, values[place] == .null { values[place] = .string("[]") }
            guard values[place] != .null || property.isNullable && !set.type.key.contains(place) else {
                throw refused(.nullValue, [place], "A value is missing.")
            }
            var nullable = property
            nullable.isNullable = true
            do {
                values[place] = try nullable.check(values[place])
            } catch {
                throw refused(.invalidValue, [place], "\(property.names.wire) cannot hold the value.")
            }
        }
        let evaluator = ExpressionEvaluator(source: EntitySource(values))
        for check in schema.rules.checks[set.names.wire] ?? []
        where try evaluator.value(of: check) == .boolean(false) {
            throw refused(.constraint, [], "A check of the store refused the change.")
        }
        return values
    }

    private func refused(_ code: StorageError.Code, _ places: [Int], _ message: String) -> StorageError {
        StorageError(code, set: set.names.wire, properties: schema.names(places, of: place), message: message)
    }

    /// The key of a row.
    func key(of values: [Value]) -> Key { Key(set.type.key.map { values[$0] }) }
}
