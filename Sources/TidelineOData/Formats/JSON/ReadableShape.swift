// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A shape made ready for reading: names as bytes.
final class ReadableShape {
    struct Column {
        var name: [UInt8]
        var type: PrimitiveType
        /// Whether an object or an array is pushed as its text.
        var isJSON: Bool
        /// The type whose members stand for the numbers.
        var enumeration: EnumerationType?
    }

    struct Expansion {
        var name: String
        var isCollection: Bool
        var shape: ReadableShape
    }

    let columns: [Column]
    let expansions: [Expansion]
    let key: [RowShape.Column]
    private let places: [String: Int]
    private let expansionPlaces: [String: Int]

    init(_ shape: RowShape) {
        columns = shape.columns.map {
            var column = Column(
                name: Array($0.name.utf8),
                type: $0.type,
                isJSON: $0.form == .json || $0.form == .jsonArray
            )
            if case .enumeration(let type) = $0.form { column.enumeration = type }
            return column
        }
        expansions = shape.expansions.map {
            Expansion(name: $0.name, isCollection: $0.isCollection, shape: ReadableShape($0.shape))
        }
        key = shape.key
        places = Dictionary(shape.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        expansionPlaces = Dictionary(
            shape.expansions.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func column(_ name: String) -> Int? { places[name] }
    func expansion(_ name: String) -> Int? { expansionPlaces[name] }
}
