// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Turns keys and before-images of the log into values of an entity type.
struct LogDecoder {
    private let set: EntitySet
    private let key: [(place: Int, property: Property)]
    /// For each property its place in the before-image, or `nil` when it is not among the captured columns.
    private let places: [Int?]
    private let model: EntityModel

    init(set: EntitySet, table: Capture.Table, model: EntityModel) throws {
        self.set = set
        self.model = model
        var positions: [String: Int] = [:]
        for (position, column) in table.key.enumerated() { positions[column] = position }
        key = try set.type.key.map { place in
            let property = set.type.properties[place]
            guard let position = positions[property.names.database], table.key.count == set.type.key.count else {
                throw StorageError(
                    .schemaChanged,
                    set: set.names.wire,
                    message: "The key of \(set.names.wire) is not the one that its changes are captured with."
                )
            }
            return (position, property)
        }
        var columns: [String: Int] = [:]
        for (position, column) in table.columns.enumerated() { columns[column] = position }
        places = set.type.properties.map { $0.items == nil ? columns[$0.names.database] : nil }
    }

    func key(_ text: String) throws -> Key {
        let values = try QuotedValue.list(text)
        return Key(
            try key.map { place, property in
                guard place < values.count, let value = decoded(values[place], property) else {
                    throw StorageError(
                        .unreadableValue,
                        set: set.names.wire,
                        properties: [property.names.wire],
                        message:
                            "The change log names a key whose \(property.names.wire) is no \(property.type.rawValue)."
                    )
                }
                return value
            }
        )
    }

    /// A value that was not kept, or does not fit the property, is `nil`.
    func image(_ text: String) throws -> [Value?] {
        let values = try QuotedValue.list(text)
        return places.enumerated().map { property, place in
            guard let place, place < values.count else { return nil }
            return decoded(values[place], set.type.properties[property])
        }
    }

    private func decoded(_ value: QuotedValue, _ property: Property) -> Value? {
        let reader = ColumnReader(
            property,
            place: 0,
            set: set.names.wire,
            enumeration: model.enumeration(of: property)
        )
        return switch value {
        case .null: .null
        case .omitted: nil
        case .integer(let value): try? reader.value(integer: value)
        case .real(let value): try? reader.value(real: value)
        case .text(let value): try? reader.value(text: value)
        case .blob(let value): try? reader.value(blob: value)
        }
    }
}
