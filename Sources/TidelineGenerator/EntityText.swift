// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The source of one entity.
struct EntityText {
    private let entity: GenerationPlan.PlannedEntity
    private let plan: GenerationPlan

    init(_ entity: GenerationPlan.PlannedEntity, plan: GenerationPlan) {
        self.entity = entity
        self.plan = plan
    }

    var lines: [String] {
        let set = entity.set
        let fallback = "An entity of \(set.names.wire)\(set.isReadOnly ? ", which can only be read" : "")."
        var lines = SwiftNames.comment(set.type.description ?? set.description ?? fallback)
        let type = set.type.names.wire
        let typeArgument = type == entity.name ? "" : ", type: \(SwiftNames.literal(type))"
        lines.append("@Entity(\(SwiftNames.literal(set.names.wire))\(typeArgument))")
        if let policy = set.type.conflictPolicy { lines.append(SwiftNames.attribute(policy)) }
        lines += set.type.navigationProperties.filter { plan.isCollection($0, of: set) }.compactMap(collection)
        lines.append("public struct \(entity.name): Hashable, Sendable {")
        for (turn, property) in entity.properties.enumerated() {
            if turn > 0 { lines.append("") }
            lines += PropertyText(property, of: set, plan: plan).lines
        }
        lines.append("}")
        return lines
    }

    private func collection(_ navigation: NavigationProperty) -> String? {
        // A struct cannot name itself in its own attributes; the reference says that it leads both ways.
        guard let target = plan.entityName(of: navigation.targetSet), target != entity.name,
            let inverse = navigation.partner
        else {
            return nil
        }
        return "@HasMany(\(SwiftNames.literal(navigation.names.wire)), of: \(target).self, "
            + "inverse: \(SwiftNames.literal(inverse)))"
    }
}
