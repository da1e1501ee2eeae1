// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Properties by the names that people and tools use.
extension EntityType {
    /// The place of a property by its name on the wire or in code, or `nil`.
    ///
    /// A name in another letter case counts where one property alone has it.
    public func place(named name: String) -> Int? {
        if let exact = propertyIndex(wire: name) ?? properties.firstIndex(where: { $0.names.code == name }) {
            return exact
        }
        let lower = name.lowercased()
        let similar = properties.indices.filter {
            properties[$0].names.wire.lowercased() == lower || properties[$0].names.code.lowercased() == lower
        }
        return similar.count == 1 ? similar[0] : nil
    }

    /// The property of a name, as ``place(named:)`` finds it.
    ///
    /// - Throws: ``LocalStoreError/Code/unknownProperty``.
    public func property(named name: String) throws(LocalStoreError) -> Property {
        guard let place = place(named: name) else {
            throw LocalStoreError(
                .unknownProperty,
                properties: [name],
                message: "The entity type '\(names.wire)' has no property '\(name)'."
            )
        }
        return properties[place]
    }

    /// The one property that is the key.
    ///
    /// - Throws: ``LocalStoreError/Code/invalidKey`` for a key of several properties.
    public func keyProperty() throws(LocalStoreError) -> Property {
        guard key.count == 1 else {
            throw LocalStoreError(
                .invalidKey,
                properties: key.map { properties[$0].names.wire },
                message: "The key of the entity type '\(names.wire)' has \(key.count) properties, not one."
            )
        }
        return properties[key[0]]
    }
}
