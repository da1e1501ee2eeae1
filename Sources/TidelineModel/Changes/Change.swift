// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One change of one entity: the unit that outbox, feed, live lists, undo and conflict log have in common.
public struct Change: Hashable, Sendable {
    /// What was done.
    public enum Operation: String, Hashable, Sendable {
        case insert, update, delete
    }

    /// One property that a change gives a value.
    public struct Assignment: Hashable, Sendable {
        /// The place of the property in the entity type.
        public var property: Int
        /// The value before the change; null for an insert.
        public var before: Value
        /// The value after the change; null for a delete.
        public var after: Value

        public init(property: Int, before: Value, after: Value) {
            self.property = property
            self.before = before
            self.after = after
        }
    }

    /// The wire name of the entity set.
    public var set: String
    public var key: Key
    public var operation: Operation
    /// The properties that changed; for an insert or a delete all that are known.
    public var assignments: [Assignment]

    public init(set: String, key: Key, operation: Operation, assignments: [Assignment]) {
        self.set = set
        self.key = key
        self.operation = operation
        self.assignments = assignments
    }
}
