// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Why an entity is no longer part of a tracked result.
///
/// Source: OData JSON Format 4.01, section 15.3.
public enum RemovalReason: String, Hashable, Sendable {
    /// It was deleted.
    case deleted
    /// It exists, but does not match any more, or may no longer be seen.
    case changed
}

/// The receiver of a delta: rows that were added or changed, and keys that are gone.
public protocol DeltaSink: RowSink {
    /// The entity of that key is not part of the result any more. Called between rows.
    func removed(key: Key, reason: RemovalReason)
}
