// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Where the values of an entity stand in an entry of a change log, which goes by the columns of the database.
package struct LoggedPlaces {
    /// For each part of the key its place in the entry's key, and the property.
    package let key: [(place: Int, property: Int)]
    /// For each property its place in the before-image, or `nil` when it is not among the captured columns.
    package let image: [Int?]

    /// - Parameters:
    ///   - key: the columns of an entry's key, in their order.
    ///   - columns: the columns of a before-image, in their order.
    /// - Throws: ``StorageError/Code/schemaChanged`` when the model has another key.
    package init(set: EntitySet, key: [String], columns: [String]) throws {
        let properties = set.type.properties
        let keyPlaces = Dictionary(key.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        self.key = try set.type.key.map { property in
            guard let place = keyPlaces[properties[property].names.database], key.count == set.type.key.count else {
                throw StorageError(
                    .schemaChanged,
                    set: set.names.wire,
                    message: "The key of \(set.names.wire) is not the one that its changes are captured with."
                )
            }
            return (place, property)
        }
        let places = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        image = properties.map { $0.items == nil ? places[$0.names.database] : nil }
    }

    /// The columns of before-images from now on, in their order: those of before keep their places, so that entries of
    /// before are read as they were written.
    ///
    /// - Parameters:
    ///   - before: the columns of now; an empty name holds the place of one that is captured no more.
    ///   - captured: the columns that are to be captured.
    package static func columns(_ before: [String], captured: [String]) -> [String] {
        var columns = before.map { captured.contains($0) ? $0 : "" }
        for column in captured where !columns.contains(column) { columns.append(column) }
        return columns
    }

    /// The key of an entry; `nil` where it is none of the entity type's: see ``ChangedKey/key``.
    ///
    /// - Parameter decode: a value of the entry as one of the property at a place of the entity type; `nil` where it is
    ///   none.
    package func key<Logged>(_ values: [Logged], _ decode: (Logged, _ property: Int) -> Value?) -> Key? {
        var parts: [Value] = []
        for (place, property) in key {
            guard place < values.count, let value = decode(values[place], property), value != .null else { return nil }
            parts.append(value)
        }
        return Key(parts)
    }

    /// The before-image of an entry: a value that was not kept, or does not fit its property, is `nil`.
    package func image<Logged>(_ values: [Logged], _ decode: (Logged, _ property: Int) -> Value?) -> [Value?] {
        image.enumerated().map { property, place in
            guard let place, place < values.count else { return nil }
            return decode(values[place], property)
        }
    }
}
