// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The properties of one row that a device was refused for, by the open entries of the conflict log.
struct RefusedProperties {
    /// The names of what the device wanted to write.
    private var names: Set<String> = []
    /// Whether it wanted to delete the row, or sent what cannot be read: then it was refused for all of it.
    private var isWhole = false
    /// The entries of deletions that were refused.
    private(set) var deletions: [Int64] = []

    mutating func add(_ conflict: LoggedConflict) {
        if conflict.lost == nil { deletions.append(conflict.id) }
        guard let lost = conflict.lost, case .object(let members)? = JSONValue(lost) else {
            isWhole = true
            return
        }
        names.formUnion(members.map(\.name))
    }

    /// What a change of the row replaced in these properties; `nil` where it replaced nothing of them.
    ///
    /// A deletion replaces the whole row, which can be made again of nothing less.
    func meeting(_ replaced: ReplacedValues) -> ReplacedValues? {
        guard replaced.after != nil else { return replaced }
        let type = replaced.entity.set.type
        let met = replaced.only { isWhole || contains($0, of: type) }
        return met.isEmpty ? nil : met
    }

    private func contains(_ place: Int, of type: EntityType) -> Bool {
        // Properties that are not declared lie beside the others, by names of their own.
        place == type.dynamicProperty
            ? !names.isSubset(of: type.properties.map(\.names.wire))
            : names.contains(type.properties[place].names.wire)
    }
}
