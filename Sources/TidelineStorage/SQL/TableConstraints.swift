// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// The keys of a table that is made for an entity set, in the SQL that all databases here understand.
package struct TableConstraints {
    private let set: EntitySet
    private let model: EntityModel

    package init(of set: EntitySet, in model: EntityModel) {
        self.set = set
        self.model = model
    }

    private var type: EntityType { self.set.type }

    /// `PRIMARY KEY ("a", "b")`.
    package var primaryKey: String { "PRIMARY KEY (\(columns(type.key, type)))" }

    /// The UNIQUE and FOREIGN KEY clauses, delete rules included.
    package var clauses: [String] {
        uniqueKeys.map { "UNIQUE (\(columns($0, type)))" }
            + references.map { navigation, target in
                "FOREIGN KEY (\(columns(navigation.constraints.map(\.source), type))) "
                    + "REFERENCES \(SQLToken.name(target.names.database)) "
                    + "(\(columns(navigation.constraints.map(\.target), target.type)))\(rule(navigation.onDelete))"
            }
    }

    /// The CREATE INDEX statements: one for each foreign key that no key begins with.
    package func indexes() -> [String] {
        var indexed = [type.key] + uniqueKeys
        var statements: [String] = []
        for navigation in type.navigationProperties where navigation.isDependent {
            let places = navigation.constraints.map(\.source)
            guard !places.isEmpty, !indexed.contains(where: { $0.starts(with: places) }) else { continue }
            indexed.append(places)
            let parts = [self.set.names.database] + places.map { type.properties[$0].names.database }
            statements.append(
                "CREATE INDEX \(SQLToken.name(parts.joined(separator: "_"))) "
                    + "ON \(SQLToken.name(self.set.names.database)) (\(columns(places, type)))"
            )
        }
        return statements
    }

    /// The unique keys, that of a reference of one to one included.
    private var uniqueKeys: [[Int]] {
        var keys = type.uniqueKeys
        for (navigation, target) in references {
            let places = navigation.constraints.map(\.source)
            let back = navigation.partner.flatMap { target.type.navigationIndex(wire: $0) }
                .map { target.type.navigationProperties[$0] }
            guard let back, !back.isCollection, Set(places) != Set(type.key),
                !keys.contains(where: { Set($0) == Set(places) })
            else { continue }
            keys.append(places)
        }
        return keys
    }

    /// The foreign keys, each once: those that lead to a key or to a unique key of the other table.
    private var references: [(navigation: NavigationProperty, target: EntitySet)] {
        var seen: Set<[Int]> = []
        return type.navigationProperties.compactMap { navigation in
            guard navigation.isDependent, !navigation.constraints.isEmpty, let target = model[set: navigation.targetSet]
            else { return nil }
            let places = Set(navigation.constraints.map(\.target))
            let isKey = ([target.type.key] + target.type.uniqueKeys).contains { Set($0) == places }
            guard isKey, seen.insert(navigation.constraints.map(\.source)).inserted else { return nil }
            return (navigation, target)
        }
    }

    private func columns(_ places: [Int], _ type: EntityType) -> String {
        places.map { SQLToken.name(type.properties[$0].names.database) }.joined(separator: ", ")
    }

    private func rule(_ rule: NavigationProperty.DeleteRule) -> String {
        switch rule {
        case .cascade: " ON DELETE CASCADE"
        case .setNull: " ON DELETE SET NULL"
        case .setDefault: " ON DELETE SET DEFAULT"
        case .none: ""
        }
    }
}
