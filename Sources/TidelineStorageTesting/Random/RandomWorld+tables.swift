// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension RandomWorld {
    /// The tables of the model.
    ///
    /// - Parameter column: the type of a property's column, in the words of a database.
    public func tables(_ column: (Property) -> String) -> String {
        model.sets.map { set in
            let type = set.type
            var lines = type.properties.map {
                "\($0.names.database) \(column($0))\($0.isNullable ? "" : " NOT NULL")"
            }
            lines.append("PRIMARY KEY (\(Self.names(type.key, type)))")
            for navigation in type.navigationProperties where navigation.isDependent {
                guard let target = model[set: navigation.targetSet] else { continue }
                let own = Self.names(navigation.constraints.map(\.source), type)
                let other = Self.names(navigation.constraints.map(\.target), target.type)
                lines.append("FOREIGN KEY (\(own)) REFERENCES \(target.names.database)(\(other))")
            }
            return "CREATE TABLE \(set.names.database)(\(lines.joined(separator: ", ")));"
        }.joined(separator: "\n")
    }

    private static func names(_ places: [Int], _ type: EntityType) -> String {
        places.map { type.properties[$0].names.database }.joined(separator: ", ")
    }
}
