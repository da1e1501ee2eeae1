// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Relations {
    /// Whether a table does nothing but link two others: two foreign keys, no column besides, each pair once.
    ///
    ///     post_tags (post_id → posts, tag_id → tags), key (post_id, tag_id)
    static func isLinkTable(_ draft: TableDraft) -> Bool {
        guard !draft.isReadOnly, draft.foreignKeys.count == 2 else { return false }
        let linked = draft.foreignKeys.flatMap(\.columns).map { $0.lowercased() }
        guard Set(linked).count == linked.count, Set(draft.key.map { $0.lowercased() }) == Set(linked) else {
            return false
        }
        return draft.properties.allSatisfy { linked.contains($0.names.database.lowercased()) }
    }

    /// Gives both ends of each link table a navigation property to the other; the table stays a set as it is.
    mutating func addLinks(names: inout [WireNames]) {
        for place in drafts.indices where Self.isLinkTable(drafts[place]) {
            let ways = navigation[place].filter(\.isDependent)
            guard
                ways.count == 2, ways[0].targetSet != ways[1].targetSet,
                let first = drafts.firstIndex(where: { $0.names.wire == ways[0].targetSet }),
                let second = drafts.firstIndex(where: { $0.names.wire == ways[1].targetSet })
            else { continue }
            let set = drafts[place].names.wire
            let there = names[first].first(of: [ways[1].targetSet, "\(ways[1].targetSet)Via\(set)"])
            let back = names[second].first(of: [ways[0].targetSet, "\(ways[0].targetSet)Via\(set)"])
            addLink(there, back, from: first, set, ways[0], ways[1])
            addLink(back, there, from: second, set, ways[1], ways[0])
            note(
                drafts[place].name,
                "\(drafts[place].name) links two tables and nothing else: "
                    + "\(ways[0].targetSet) lead to \(there) and \(ways[1].targetSet) to \(back) through it."
            )
        }
    }

    private mutating func addLink(
        _ name: String,
        _ partner: String,
        from owner: Int,
        _ set: String,
        _ toOwner: NavigationProperty,
        _ toTarget: NavigationProperty
    ) {
        var link = NavigationProperty(
            names: Names(wire: name, code: WireNames.code(name, capital: false)),
            targetSet: toTarget.targetSet,
            isCollection: true,
            isDependent: false,
            constraints: [],
            partner: partner
        )
        link.link = LinkTable(set: set, toOwner: toOwner.names.wire, toTarget: toTarget.names.wire)
        append(link, to: owner)
    }
}
