// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// The type of one row in a table of derived types, and what makes a row one of it.
struct RowType {
    /// The wire names of the derived type and of those that it extends; none for the entity type itself.
    private var lineage: Set<String> = []
    /// The discriminator's value, where it is to be set, and null for what the row's former type alone had.
    private(set) var values: [Int: Value] = [:]

    /// - Parameters:
    ///   - name: the type that the request names, or `nil`.
    ///   - type: the entity type of the set.
    ///   - current: the row as it is; `nil` for a new one.
    /// - Throws: `InvalidBody` for a type that entities here cannot have, or an abstract one.
    init(_ name: String?, in type: EntityType, current: StoredEntity?) throws(ODataError) {
        let former = current.flatMap { Self.derivedName($0, type) }
        let chosen = name ?? former
        if let chosen, chosen != type.names.wire {
            guard type.derivedTypes.contains(where: { $0.names.wire == chosen }) else {
                throw ODataError(
                    .invalidBody,
                    "\(chosen.prefix(128)) is not \(type.names.wire) and not derived from it.",
                    target: "@type"
                )
            }
            lineage = Self.ancestry(chosen, type)
        }
        let isOther = name != nil && chosen != former ?? type.names.wire
        guard let discriminator = type.discriminator, current == nil || isOther else { return }
        let derived = type.derivedTypes.first { $0.names.wire == chosen }
        guard !(derived?.isAbstract ?? type.isAbstract) else {
            throw ODataError(.invalidBody, "Name the entity's type with @type: this one is abstract.", target: "@type")
        }
        if let value = derived == nil ? type.discriminatorValue : derived?.discriminatorValue {
            values[discriminator] = value
        }
        if current != nil {
            for (place, property) in type.properties.enumerated() where !has(property.declaringType) {
                values[place] = .null
            }
        }
    }

    /// Whether an entity of this type has what the named type declares.
    func has(_ declaringType: String?) -> Bool {
        declaringType.map { lineage.contains($0) } ?? true
    }

    private static func derivedName(_ row: StoredEntity, _ type: EntityType) -> String? {
        guard let discriminator = type.discriminator else { return nil }
        return type.derivedTypes.first { $0.discriminatorValue == row.values[discriminator] }?.names.wire
    }

    private static func ancestry(_ name: String, _ type: EntityType) -> Set<String> {
        var names: Set<String> = []
        var next: String? = name
        while let name = next, names.insert(name).inserted {
            next = type.derivedTypes.first { $0.names.wire == name }?.baseType
        }
        return names
    }
}
