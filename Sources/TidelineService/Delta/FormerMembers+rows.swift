// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

extension FormerMembers {
    /// Takes note of a row as it was; `nil` where there was none.
    mutating func note(_ key: Key, _ row: [Value?]?, of set: EntitySet) {
        guard let row, let place = set.type.dynamicProperty else { return }
        note(key, row[place])
    }
}

extension ReadHandler {
    /// What a client may hold of the dynamic properties of related entities, by their sets, since some moments.
    func formerMembers(
        of expansions: [ReadPlan.Expansion],
        at moments: [FeedPosition]
    ) throws -> [String: FormerMembers] {
        var former: [String: FormerMembers] = [:]
        for expansion in expansions {
            let set = expansion.plan.set
            former.merge(try formerMembers(of: expansion.plan.expansions, at: moments)) { known, _ in known }
            guard former[set.names.wire] == nil, let place = set.type.dynamicProperty,
                expansion.plan.columns.contains(place)
            else { continue }
            var members = FormerMembers()
            for moment in moments {
                _ = try reader.changes(ChangeQuery(set: set, since: moment)) { change in
                    if let key = change.key { members.note(key, change.before, of: set) }
                }
            }
            former[set.names.wire] = members
        }
        return former
    }
}
