// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What a typed face over an object asks.
extension ManagedRow {
    /// The entity set in the store's model.
    package var modelSet: EntitySet { self.set.layout.set }

    /// What is worked out once for all objects of the set.
    package func shared<Known: Sendable>(_ key: AnyHashable, _ make: () throws -> Known) rethrows -> Known {
        if let known = self.set.shared[key] as? Known { return known }
        let made = try make()
        self.set.shared[key] = made
        return made
    }

    /// The value of a calculated property, of the store's model or of a Swift type's own.
    package func calculatedValue(_ property: CalculatedProperty) throws -> Value { try value(of: property) }

    /// The objects of another set that refer to this one, in the order of their keys.
    ///
    /// - Parameter navigation: the wire name of the other set's navigation property that leads here.
    package func rows(of name: String, referringBy navigation: String) throws -> [ManagedRow] {
        let context = try currentContext()
        let other = try context.set(name)
        let way = try other.navigation(navigation)
        guard way.isDependent, way.targetSet == self.set.name else {
            throw LocalStoreError(
                .unsupported,
                set: name,
                properties: [navigation],
                message: "'\(navigation)' does not lead to '\(self.set.name)'."
            )
        }
        let own = way.constraints.map { values[$0.target] }
        guard !own.contains(.null) else { return [] }
        return try context.rows(other, where: way.constraints.map(\.source), are: own)
    }
}
