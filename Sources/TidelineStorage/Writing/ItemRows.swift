// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// The rows of a table of items that a collection's JSON text stands for.
package enum ItemRows {
    /// The values of each row, in the order of ``ItemTable/values``.
    ///
    /// - Parameters:
    ///   - value: the collection as the entity has it: JSON text, or null for no items.
    ///   - property: the collection property, with a table of items.
    /// - Throws: ``StorageError/Code/invalidValue`` for what is no such collection.
    package static func rows(
        _ value: Value,
        of property: Property,
        set: String,
        model: EntityModel
    ) throws(StorageError) -> [[Value]] {
        guard let items = property.items, case .string(let text) = value else { return [] }
        guard case .array(let list)? = JSONValue(text) else { throw unfit(property, set, "it is no list") }
        var rows: [[Value]] = []
        for item in list {
            var row: [Value] = []
            for column in items.values {
                let part = items.isComplex ? item.member([column.names.wire]) : item
                guard let value = self.value(part, column, model) else {
                    throw unfit(property, set, "an item is no \(column.type.rawValue)")
                }
                guard value != .null || column.isNullable else { throw unfit(property, set, "an item lacks a value") }
                row.append(value)
            }
            rows.append(row)
        }
        return rows
    }

    private static func value(_ json: JSONValue, _ column: Property, _ model: EntityModel) -> Value? {
        if json == .null { return .null }
        if let name = column.enumeration, case .string(let text) = json {
            return model[enumeration: name]?.value(of: text).map(Value.integer)
        }
        let value = json.value(as: column.type)
        return value == .null ? nil : value
    }

    /// An error of the table of items, told of the property that it stands for.
    package static func renamed(_ error: StorageError, _ property: Property, set: String) -> StorageError {
        var error = error
        error.set = set
        error.properties = [property.names.wire]
        return error
    }

    private static func unfit(_ property: Property, _ set: String, _ reason: String) -> StorageError {
        StorageError(
            .invalidValue,
            set: set,
            properties: [property.names.wire],
            message: "\(property.names.wire) cannot hold the value: \(reason)."
        )
    }
}
