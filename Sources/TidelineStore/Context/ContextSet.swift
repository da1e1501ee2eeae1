// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// An entity set as the objects of a context share it.
final class ContextSet {
    let layout: SetLayout
    let places: [String: Int]
    let navigations: [String: Int]
    /// What typed faces worked out, by what they call it.
    var shared: [AnyHashable: any Sendable] = [:]

    init(_ layout: SetLayout) {
        self.layout = layout
        let type = layout.set.type
        places = Dictionary(
            type.properties.enumerated().map { ($1.names.wire, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        navigations = Dictionary(
            type.navigationProperties.enumerated().map { ($1.names.wire, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    var index: Int { layout.index }
    var name: String { layout.name }
    var type: EntityType { layout.set.type }

    /// The key in the values of a row, or `nil` where a part of it is null.
    func identity(_ values: [Value]) -> RowIdentity? {
        let key = layout.key.map { values[$0] }
        return key.contains(.null) ? nil : RowIdentity(set: index, key: key)
    }

    func place(_ name: String) throws -> Int {
        guard let place = places[name] else {
            throw LocalStoreError(
                .unknownProperty,
                set: self.name,
                properties: [name],
                message: "The entities of '\(self.name)' have no property '\(name)'."
            )
        }
        return place
    }

    func navigation(_ name: String) throws -> NavigationProperty {
        guard let place = navigations[name] else {
            throw LocalStoreError(
                .unknownProperty,
                set: self.name,
                properties: [name],
                message: "The entities of '\(self.name)' have no navigation property '\(name)'."
            )
        }
        return type.navigationProperties[place]
    }

    /// The value in the family of a property.
    ///
    /// Length, range and the like are checked at the save, so that a form can hold what is not right yet.
    func fitting(_ value: Value, _ place: Int) throws -> Value {
        let column = layout.columns[place]
        guard let value = value.promoted(to: column.property.type) else {
            var error = column.refused("must be of type \(column.property.type.rawValue)")
            error.set = name
            throw error
        }
        return value
    }

    func named(_ values: [Value]) -> [String: Value] {
        Dictionary(
            zip(layout.columns, values).map { ($0.property.names.wire, $1) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
