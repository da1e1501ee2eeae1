// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A condition that every entity of a type has to meet when it is saved.
///
///     EndDate ge StartDate      "The end comes before the start."
///
/// Source: OData vocabulary Validation V1, term `Constraint`.
public struct EntityRule: Hashable, Sendable {
    /// What the rule is called in errors: `Dates`.
    public var name: String
    /// What has to be true; null breaks the rule as false does.
    public var condition: Expression
    /// What a person reads when the rule is broken.
    public var message: String
    /// The wire names of the properties to mark as wrong, or none for the entity as a whole.
    public var properties: [String]

    public init(name: String, condition: Expression, message: String, properties: [String] = []) {
        self.name = name
        self.condition = condition
        self.message = message
        self.properties = properties
    }
}
