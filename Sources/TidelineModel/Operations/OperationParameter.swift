// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A parameter that a call of an operation gives.
///
/// Source: OData CSDL 4.01, section 12.9.
public struct OperationParameter: Hashable, Sendable {
    /// On the wire the parameter's name; in the database that of the routine's parameter.
    public var names: Names
    /// Never an entity.
    public var type: OperationType
    /// Whether a call may leave it out: ``defaultValue`` is then its value, or null.
    public var isOptional: Bool
    /// The value of a call that leaves it out, in the form of ``EntityModel/property(_:of:)``.
    ///
    /// `nil` on an optional one: the routine's own default, and null for SQL and handlers.
    public var defaultValue: Value?
    public var description: String?

    public init(
        names: Names,
        type: OperationType,
        isOptional: Bool = false,
        defaultValue: Value? = nil,
        description: String? = nil
    ) {
        self.names = names
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.description = description
    }
}
