// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Turns keys and before-images of the log into values of an entity type.
struct LogDecoder {
    private let set: EntitySet
    private let places: LoggedPlaces
    private let model: EntityModel

    init(set: EntitySet, table: CapturedTable, model: EntityModel) throws {
        self.set = set
        self.model = model
        places = try LoggedPlaces(set: set, key: table.key, columns: table.columns)
    }

    /// The key of an entry; `nil` where it is none of the entity type's.
    func key(_ text: some Collection<UInt8>) throws -> Key? { places.key(try QuotedValue.list(text), decoded) }

    /// A value that was not kept, or does not fit the property, is `nil`.
    func image(_ text: some Collection<UInt8>) throws -> [Value?] { places.image(try QuotedValue.list(text), decoded) }

    private func decoded(_ value: QuotedValue, _ place: Int) -> Value? {
        let property = set.type.properties[place]
        let reader = ColumnReader(
            property,
            place: 0,
            set: set.names.wire,
            isKey: set.type.key.contains(place),
            isExact: true,
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
