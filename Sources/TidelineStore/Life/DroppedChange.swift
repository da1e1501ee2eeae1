// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A change that waited for the server when a migration took its property or its set away.
///
/// It was not sent and cannot be: the app decides what to tell its user.
public struct DroppedChange: Hashable, Sendable {
    /// The number of the local transaction.
    public var transaction: Int64
    /// The wire name of the entity set, as it was then.
    public var set: String
    /// The values of the key, as text.
    public var key: [String]
    /// What the transaction did: `insert`, `update` or `delete`.
    public var operation: String
    /// The wire name of the property, or `nil` for the deletion of an entity.
    public var property: String?
    /// The value before the change, as text, or `nil` for null.
    public var before: String?
    /// The value given, as text, or `nil` for null.
    public var after: String?

    public init(
        transaction: Int64,
        set: String,
        key: [String],
        operation: String,
        property: String?,
        before: String?,
        after: String?
    ) {
        self.transaction = transaction
        self.set = set
        self.key = key
        self.operation = operation
        self.property = property
        self.before = before
        self.after = after
    }
}
