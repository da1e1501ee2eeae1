// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One rule of the model that one entity breaks: what a form shows beside a field.
///
///     Clients  Key("7")  [Name]  maxLength  "Name is too long (the limit is 20)."  [maxLength: 20]
public struct ValidationFailure: Hashable, Sendable {
    /// Which rule it is; ``Rule/identifier`` stays the same from release to release.
    @nonexhaustive
    public enum Rule: Hashable, Sendable {
        /// The property needs a value.
        case required
        /// The value is of another type.
        case type
        /// The value is outside of what its type can hold.
        case range
        /// A text, or binary value, is too long.
        case maxLength
        /// A number has too many digits.
        case precision
        /// A number, or the seconds of a time, have too many digits after the point.
        case scale
        /// The value is less than the least.
        case minimum
        /// The value is greater than the greatest.
        case maximum
        /// The text does not match the pattern.
        case pattern
        /// The value is none of those that are allowed.
        case allowedValues
        /// Another entity has this key.
        case key
        /// Another entity has this value of properties that are unique together.
        case unique
        /// The entity that is referred to does not exist.
        case reference
        /// Other entities refer to this one, which was deleted.
        case dependents
        /// A rule of the entity type, by its name.
        case constraint(String)
    }

    /// The wire name of the entity set.
    public var set: String
    /// The key of the entity, as far as it has one.
    ///
    /// A value of a key that is missing is null.
    public var key: Key?
    /// The wire names of the properties to mark; none for the entity as a whole.
    public var properties: [String]
    public var rule: Rule
    /// What is wrong, one plain English sentence for a person; no value of the entity stands in it.
    ///
    /// ``ValidationMessages`` says it in other words or another language.
    public var message: String
    /// What the rule speaks of, by name: `maxLength`, `minimum`, `pattern`, `references`.
    public var arguments: [String: Value]

    /// - Parameter message: `nil` for the English sentence that ``ValidationMessages/english`` has for the rule.
    public init(
        set: String,
        key: Key? = nil,
        properties: [String],
        rule: Rule,
        message: String? = nil,
        arguments: [String: Value] = [:]
    ) {
        self.set = set
        self.key = key
        self.properties = properties
        self.rule = rule
        self.arguments = arguments
        self.message = message ?? ""
        if message == nil { self.message = ValidationMessages.english.text(for: self) }
    }
}

extension ValidationFailure.Rule {
    /// The rule as text, such as `maxLength`, or `constraint.Dates` for one of the entity type.
    public var identifier: String {
        switch self {
        case .required: "required"
        case .type: "type"
        case .range: "range"
        case .maxLength: "maxLength"
        case .precision: "precision"
        case .scale: "scale"
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .pattern: "pattern"
        case .allowedValues: "allowedValues"
        case .key: "key"
        case .unique: "unique"
        case .reference: "reference"
        case .dependents: "dependents"
        case .constraint(let name): "constraint.\(name)"
        }
    }
}
