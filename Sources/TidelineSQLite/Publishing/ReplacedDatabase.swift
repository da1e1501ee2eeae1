// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a backup took the place of.
///
/// Only a published database tells which keys it has given.
public enum ReplacedDatabase: Hashable, Sendable {
    case published
    /// One that is empty, or has no log of changes.
    case unpublished
    /// One that can be opened, and not be read to the end, or lacks a table of Tideline's.
    case damaged
    /// A file that cannot be opened as a database: another kind of file, or one that was cut off.
    case unreadable
    /// No file at all.
    case missing
}
