// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// A conflict as a person reads it.
public struct ConflictLine: Hashable, Sendable, Identifiable {
    /// The number of its entry in the log.
    public let id: Int64
    /// The bookmark, by its name now.
    public let title: String
    /// What met, and what counts; a line for each property.
    public let details: [String]

    init(_ conflict: Conflict, names: [Int32: String]) {
        id = conflict.id
        title = Self.title(conflict, names)
        switch (conflict.kind, conflict.mineWon) {
        case (.deletedHere, true): details = ["Deleted here, changed elsewhere. It stays deleted."]
        case (.deletedHere, false): details = ["Deleted here, changed elsewhere. It stays."]
        case (.deletedThere, true): details = ["Changed here, deleted elsewhere. It stays, with your change."]
        case (.deletedThere, false): details = ["Changed here, deleted elsewhere. It is deleted."]
        case (_, _): details = conflict.properties.map(Self.text)
        }
    }

    private static func title(_ conflict: Conflict, _ names: [Int32: String]) -> String {
        if case .integer(let key) = conflict.key.values.first, let name = names[Int32(truncatingIfNeeded: key)] {
            return name
        }
        let name = conflict.properties.first { $0.name == "Name" }
        return name.map { $0.mineWon ? text($0.theirs, of: "Name") : text($0.mine, of: "Name") } ?? "A bookmark"
    }

    private static func text(_ property: Conflict.Property) -> String {
        let label = ["Url": "Address", "Ordinal": "Place"][property.name] ?? property.name
        let (mine, theirs) = (text(property.mine, of: property.name), text(property.theirs, of: property.name))
        return "\(label): \(mine) here, \(theirs) elsewhere. \(property.mineWon ? mine : theirs) counts."
    }

    private static func text(_ value: Value, of property: String) -> String {
        switch value {
        case .string(let text): "\"\(text)\""
        case .integer(let number): "\(property == "Ordinal" ? number + 1 : number)"
        default: "nothing"
        }
    }
}
