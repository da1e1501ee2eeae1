// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Checks values against the rules of their properties, without a store: what a form asks while a person types.
///
///     Validator(model: store.model).failures(of: ["Name": .string("")], in: "Clients")
///
/// References, unique values and the rules of entity types are matters of a whole transaction:
/// ``LocalStore/validate(_:)`` asks them too.
public struct Validator: Sendable {
    private let model: EntityModel

    /// - Parameter model: that of a store.
    public init(model: EntityModel) { self.model = model }

    /// What values of a row break, in the order of the properties.
    ///
    /// - Parameters:
    ///   - values: values by the wire names of their properties.
    ///   - set: the wire name of the entity set.
    ///   - isNew: whether what is not given counts as well: a property that is required and has no default.
    /// - Throws: ``LocalStoreError``: `unknownSet`, `unknownProperty`.
    public func failures(
        of values: [String: Value],
        in set: String,
        isNew: Bool = false
    ) throws -> [ValidationFailure] {
        guard let found = model[set: set] else {
            throw LocalStoreError(.unknownSet, set: set, message: "The model has no entity set '\(set)'.")
        }
        let type = found.type
        for name in values.keys.sorted() where type.propertyIndex(wire: name) == nil {
            throw LocalStoreError(
                .unknownProperty,
                set: set,
                properties: [name],
                message: "The entities of '\(set)' have no property '\(name)'."
            )
        }
        let parts = type.key.map { values[type.properties[$0].names.wire] ?? .null }
        let key = parts.contains(.null) ? nil : Key(parts)
        var all: [ValidationFailure] = []
        for (place, property) in type.properties.enumerated() {
            let given = values[property.names.wire]
            guard given != nil || isNew else { continue }
            let column = DeviceColumn(property, place: place, isKey: type.key.contains(place))
            all += column.violations(of: given ?? property.defaultValue ?? .null).map {
                ValidationFailure($0, property, set: set, key: key)
            }
        }
        return all
    }
}
