// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension StorageError {
    /// An INSERT that made no row.
    package static func ignoredInsert(_ set: EntitySet) -> StorageError {
        StorageError(
            .constraint,
            set: set.names.wire,
            message: "A trigger of the database ignored the new entity."
        )
    }

    /// A change of a row that is there, and that is as it was afterwards.
    package static func ignoredChange(_ set: EntitySet) -> StorageError {
        StorageError(
            .constraint,
            set: set.names.wire,
            message: "A trigger, or the row security, of the database ignored the change."
        )
    }

    /// A key with more values than the set's has, or fewer.
    package static func wrongKey(_ set: EntitySet) -> StorageError {
        StorageError(
            .unsupported,
            set: set.names.wire,
            message: "The key does not have the parts of the model's."
        )
    }

    /// The error of a table, told by the names of its set on the wire.
    ///
    /// Its properties are columns so far. A value that another entity has is a key that another one has where the
    /// columns are those of the key.
    package func named(by set: EntitySet) -> StorageError {
        var error = self
        error.set = set.names.wire
        let places = properties.map { column in
            set.type.properties.firstIndex { $0.names.database == column }
        }
        error.properties = zip(properties, places).map { column, place in
            place.map { set.type.properties[$0].names.wire } ?? column
        }
        if error.code == .duplicateValue, Set(places) == Set(set.type.key.map(Optional.some)) {
            error.code = .duplicateKey
            error.message = "An entity with this key exists."
        }
        return error
    }
}
