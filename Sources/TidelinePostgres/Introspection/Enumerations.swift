// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The enumerations of a database as enumeration types of a model: those that columns have, each once.
struct Enumerations {
    private let labels: [UInt32: (name: String, labels: [String], description: String?)]
    private var names = WireNames(taken: ["Container"])
    private var places: [UInt32: Int] = [:]
    private(set) var types: [EnumerationType] = []

    init(_ labels: [UInt32: (name: String, labels: [String], description: String?)]) { self.labels = labels }

    /// The labels of an enumeration of the database; `nil` for another type.
    func labels(_ identifier: UInt32) -> [String]? { labels[identifier]?.labels }

    /// The wire name of the enumeration type of a column.
    ///
    /// - Returns: `nil` where the labels cannot be names of members: other than identifiers, or too many.
    mutating func type(_ identifier: UInt32) -> String? {
        if let place = places[identifier] { return types[place].names.wire }
        guard let found = labels[identifier], !found.labels.isEmpty,
            found.labels.allSatisfy({ WireNames.identifier($0) == $0 }),
            Set(found.labels).count == found.labels.count
        else { return nil }
        let wire = names.unique(found.name)
        places[identifier] = types.count
        types.append(
            EnumerationType(
                names: Names(wire: wire, code: WireNames.code(wire, capital: true), database: found.name),
                members: found.labels.enumerated().map { EnumerationType.Member($1, Int64($0)) },
                description: found.description
            )
        )
        return wire
    }
}
