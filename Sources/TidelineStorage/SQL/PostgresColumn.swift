// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a column of PostgreSQL is, as far as SQL over it is concerned.
package struct PostgresColumn: Hashable, Sendable {
    /// What its values are.
    package enum Kind: Hashable, Sendable {
        /// A type of PostgreSQL that values of the model's type are compared with as they are.
        case plain
        /// `character(n)`: padded with blanks that are none of the value.
        case padded
        /// An enumeration of the database, or any type that is shown as its text.
        case asText
        /// An array, shown as JSON text; the type of its elements.
        case array(element: String)
        /// A composite type, shown as JSON text.
        case composite
        /// A Boolean that is held as a number, 0 for false.
        case number
        /// A number or a Boolean of another type than the model says, cast to `type`.
        case cast(to: String)
    }

    package var kind: Kind
    /// The type as it is written in SQL: `character varying(40)`, `"Mood"`.
    package var type: String
    /// Whether the column's own collation takes different bytes for equal text.
    package var isLoose: Bool

    package init(kind: Kind, type: String, isLoose: Bool = false) {
        self.kind = kind
        self.type = type
        self.isLoose = isLoose
    }
}
