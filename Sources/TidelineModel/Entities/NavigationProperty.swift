// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A navigation property: the way from an entity to one other entity or to many.
public struct NavigationProperty: Hashable, Sendable {
    /// What happens to the dependent entities when their principal is deleted.
    ///
    /// Source: OData CSDL 4.01, section 8.6 (`OnDelete`).
    public enum DeleteRule: String, Hashable, Sendable {
        case cascade = "Cascade"
        case none = "None"
        case setNull = "SetNull"
        case setDefault = "SetDefault"
    }

    /// One pair of columns of the foreign key, as places in the `properties` of the two entity types.
    public struct Constraint: Hashable, Sendable {
        /// In the entity type that owns this navigation property.
        public var source: Int
        /// In the entity type that it leads to.
        public var target: Int

        public init(source: Int, target: Int) {
            self.source = source
            self.target = target
        }
    }

    public var names: Names
    /// The wire name of the entity set that it leads to.
    public var targetSet: String
    public var isCollection: Bool
    /// For a single-valued one: whether the reference may be null.
    public var isNullable: Bool
    /// Whether the owner holds the foreign key.
    ///
    /// Then `isCollection` is false and `constraints` leave from it.
    public var isDependent: Bool
    /// The columns that tie the two; empty only with a ``link``.
    public var constraints: [Constraint]
    /// The rule for the dependents; it stands on both ends of a pair.
    public var onDelete: DeleteRule
    /// The wire name of the navigation property that leads back.
    public var partner: String?
    /// The table between the two ends, for many-to-many.
    public var link: LinkTable?
    /// Whether the entities at the other end are parts of the owner and have its URL before theirs.
    public var isContainment = false
    /// The wire name of the derived type that declares it, or `nil` for the entity type itself.
    public var declaringType: String?
    public var description: String?

    public init(
        names: Names,
        targetSet: String,
        isCollection: Bool,
        isNullable: Bool = true,
        isDependent: Bool,
        constraints: [Constraint],
        onDelete: DeleteRule = .none,
        partner: String? = nil
    ) {
        self.names = names
        self.targetSet = targetSet
        self.isCollection = isCollection
        self.isNullable = isNullable
        self.isDependent = isDependent
        self.constraints = constraints
        self.onDelete = onDelete
        self.partner = partner
    }
}
