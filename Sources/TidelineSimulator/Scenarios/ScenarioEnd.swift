// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How a scenario ended: what must be the same whatever went wrong on the way.
struct ScenarioEnd: Equatable, CustomStringConvertible {
    /// The rows of the service, see ``Harbour/content``.
    var rows: [String]
    var conflicts: Int
    var quarantined: Int

    var description: String { "\(rows), \(conflicts) conflicts, \(quarantined) in quarantine" }

    /// How it differs from what it must be, in a sentence.
    func difference(from other: ScenarioEnd) -> String {
        let missing = other.rows.filter { !rows.contains($0) }
        let added = rows.filter { !other.rows.contains($0) }
        var text = "the end is another: missing \(missing), too much \(added)"
        if rows.count != other.rows.count { text += ", \(rows.count) rows, not \(other.rows.count)" }
        if conflicts != other.conflicts { text += ", \(conflicts) conflicts, not \(other.conflicts)" }
        if quarantined != other.quarantined { text += ", \(quarantined) in quarantine, not \(other.quarantined)" }
        return text
    }
}
