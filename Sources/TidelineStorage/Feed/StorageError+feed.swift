// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

extension StorageError {
    /// A position that this log never gave.
    package static var foreignPosition: StorageError {
        StorageError(.gone, message: "The position is none of this log.")
    }

    /// A position of the epoch before.
    package static var epochChanged: StorageError {
        StorageError(.epochChanged, message: "The change log was begun anew after the position was given.")
    }

    /// What follows the position was removed.
    package static var compactedAway: StorageError {
        StorageError(.gone, message: "The changes after the position are no longer kept.")
    }

    /// The log ends before the position, or goes on otherwise.
    package static var logRestored: StorageError {
        StorageError(.logRestored, message: "The database does not have the last change that the position has seen.")
    }

    /// A set without a log, such as a view.
    package static func uncaptured(_ set: EntitySet) -> StorageError {
        StorageError(
            .unsupported,
            set: set.names.wire,
            message: "Changes of \(set.names.wire) are not captured; it is compared as a whole."
        )
    }

    /// A set of a table that capture does not know: it came after the database was published.
    package static func unpublished(_ set: EntitySet) -> StorageError {
        let (name, table) = (set.names.wire, set.names.database)
        return StorageError(
            .unsupported,
            set: name,
            message: "Changes of the table \(table) are not captured, so that no device could follow the set \(name). "
                + "Publish the database again, or take the set out of the domain's file."
        )
    }

    /// A database that is opened to be synchronised, and is not published.
    package static var uncapturedDatabase: StorageError {
        StorageError(.unsupported, message: "The database is not published: its changes are not captured.")
    }

    /// A database that carries capture already.
    package static var publishedAlready: StorageError {
        StorageError(.unsupported, message: "The database is published already; unpublish it first.")
    }

    /// A file that is no database of its own: the store of a device.
    package static var deviceStore: StorageError {
        StorageError(.unsupported, message: "The file is the store of a device, a copy of what a service has.")
    }

    /// A database without capture.
    package static var notPublished: StorageError {
        StorageError(.unsupported, message: "The database is not published.")
    }
}
