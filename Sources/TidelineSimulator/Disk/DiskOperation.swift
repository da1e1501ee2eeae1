// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One operation that a disk counts, for the report of what failed where.
package struct DiskOperation: Hashable, Sendable, CustomStringConvertible {
    /// The kinds that change a disk, or fail when it is full.
    package enum Kind: String, Hashable, Sendable {
        case open, write, truncate, sync, delete
    }

    package var kind: Kind
    /// The file, from the disk's folder on.
    package var file: String
    /// Where it begins, in bytes; zero where that says nothing.
    package var offset: Int64 = 0
    /// How many bytes it is of; zero where that says nothing.
    package var count = 0

    package var description: String {
        switch kind {
        case .write: "write \(count) bytes at \(offset) of \(file)"
        case .truncate: "truncate \(file) to \(offset) bytes"
        default: "\(kind.rawValue) \(file)"
        }
    }
}
