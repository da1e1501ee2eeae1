// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Shop {
    /// Gives clients the tags that the table `ClientTags` ties them to: `Clients(1)/TagList`.
    static func tagClients(_ sets: inout [EntitySet]) {
        guard let clients = sets.firstIndex(where: { $0.names.wire == "Clients" }),
            let ends = sets.first(where: { $0.names.wire == "ClientTags" })?.type.navigationProperties,
            let owner = ends.first(where: { $0.targetSet == "Clients" }),
            let tag = ends.first(where: { $0.targetSet == "Tags" })
        else { return }
        var tags = NavigationProperty(
            names: Names(wire: "TagList"),
            targetSet: "Tags",
            isCollection: true,
            isDependent: false,
            constraints: []
        )
        tags.link = LinkTable(set: "ClientTags", toOwner: owner.names.wire, toTarget: tag.names.wire)
        sets[clients].type.navigationProperties.append(tags)
    }
}
