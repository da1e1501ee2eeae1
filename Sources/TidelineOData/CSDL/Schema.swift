// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A schema as a CSDL document says it: names and facets as text, nothing looked up.
///
/// Both formats are written from it and read into it; ``Schema/model()`` alone gives it a meaning.
struct Schema: Equatable {
    struct Property: Equatable {
        var name: String
        var type: String
        var isNullable: Bool
        var maxLength: String?
        var precision: String?
        var scale: String?
        var defaultValue: String?
        var generation: TidelineModel.Property.Generation = .none
    }

    struct Constraint: Equatable {
        var property: String
        var referencedProperty: String
    }

    struct NavigationProperty: Equatable {
        var name: String
        /// The qualified name of the entity type that it leads to.
        var type: String
        var isCollection: Bool
        var isNullable: Bool
        var partner: String?
        var constraints: [Constraint]
        var onDelete: String?
    }

    struct EntityType: Equatable {
        var name: String
        var key: [String]
        var properties: [Property]
        var navigationProperties: [NavigationProperty]
        /// `Core.AlternateKeys`: the properties of each.
        var alternateKeys: [[String]]
    }

    struct EntitySet: Equatable {
        var name: String
        /// The qualified name of its entity type.
        var type: String
        /// The entity set that each navigation property leads to.
        var bindings: [(path: String, target: String)]
        var isReadOnly: Bool

        static func == (left: EntitySet, right: EntitySet) -> Bool {
            left.name == right.name && left.type == right.type && left.isReadOnly == right.isReadOnly
                && left.bindings.elementsEqual(right.bindings, by: ==)
        }
    }

    var namespace: String
    var container: String
    var entityTypes: [EntityType]
    var entitySets: [EntitySet]

    /// A name of this schema, with its namespace.
    func qualified(_ name: String) -> String { namespace + "." + name }
}
