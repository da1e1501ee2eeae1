// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension StoreFixture {
    /// Albums with collections in tables of their own: `album_words(album_id, place, word, weight)` with objects, and
    /// `album_marks(album_id, mark)` with numbers that nothing orders.
    static let albums: EntitySet = {
        var words = property("Words", "words", .string, isNullable: false)
        words.structure = .collection(of: .complex("Word"))
        words.items = ItemTable(
            name: "album_words",
            key: ["album_id"],
            values: [property("Text", "word", .string, isNullable: false), property("Weight", "weight", .int32)],
            order: "place",
            isComplex: true
        )
        var marks = property("Marks", "marks", .string, isNullable: false)
        marks.structure = .collection(of: .primitive(.int32))
        marks.items = ItemTable(
            name: "album_marks",
            key: ["album_id"],
            values: [property("value", "mark", .int32, isNullable: false)]
        )
        return EntitySet(
            names: Names(wire: "Albums", database: "albums"),
            type: EntityType(
                names: Names(wire: "Album"),
                properties: [
                    property("Id", "id", .int32, isNullable: false), property("Title", "title", .string), words, marks,
                ],
                key: [0]
            )
        )
    }()

    /// The complex type of the words.
    static let word = ComplexType(
        names: Names(wire: "Word"),
        properties: [property("Text", "Text", .string, isNullable: false), property("Weight", "Weight", .int32)]
    )
}
