// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One rule of who may do what: it allows, nothing forbids.
///
/// What no policy allows is refused.
///
///     - {role: "*", sets: [Orders, OrderDetails], operations: [read, update], where: "OwnerId eq @me"}
///     - {role: clerk, calls: [CloseOrder]}
public struct Policy: Hashable, Sendable {
    /// What can be done with the entities of a set.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        case read, insert, update, delete
    }

    /// The role that it is for; `*` is every signed-in user.
    public var role: String
    /// The wire names of the entity sets, or `nil` for all.
    public var sets: [String]?
    public var operations: [Operation]
    /// The wire names of the functions and actions that may be called; `*` is all of them.
    public var calls: [String]
    /// The condition on the row, an OData expression over its properties, to-one paths and `@me`; `nil` for every row.
    public var condition: String?

    public init(
        role: String,
        sets: [String]?,
        operations: [Operation],
        calls: [String] = [],
        where condition: String? = nil
    ) {
        self.role = role
        self.sets = sets
        self.operations = operations
        self.calls = calls
        self.condition = condition
    }
}
