// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// One reason for which rows of a delta are told that did not change themselves.
///
/// The stages of a query follow from the query, in an order that is always the same: a link names the place among them.
struct DeltaStage {
    enum Cause {
        /// Related entities changed.
        case related
        /// Links changed, in the table that ties many to many.
        case links
        /// Rows changed that the conditions on the query's rows, or on related entities, look at.
        case conditions
        /// The same for the conditions on links.
        case linkConditions
    }

    /// Where the telling stands.
    struct Place: Hashable {
        /// The place among the stages.
        var stage = 0
        /// The change, of those that the stage goes over, that the pages before ended with.
        var after: FeedPosition?
        /// The key of the change after it, packed, where some of the rows that it concerns were told; else empty.
        var row: [UInt8] = []
        /// The key of the last of these rows, packed; else empty.
        var cursor: [UInt8] = []
    }

    /// The place of the moment, of those since when changes count.
    var moment: Int
    /// The way of `$expand` from the query's set; empty for the query itself.
    var levels: [ExpansionChanges.Level] = []
    var cause: Cause

    /// - Parameters:
    ///   - moments: how many moments there are.
    ///   - hasRoutes: whether the query's own conditions look into other entities.
    static func stages(of plan: ReadPlan, moments: Int, hasRoutes: Bool) -> [DeltaStage] {
        var stages = hasRoutes ? [DeltaStage(moment: 0, cause: .conditions)] : []
        for moment in 0..<moments { add(plan.expansions, of: plan.set, [], moment, to: &stages) }
        return stages
    }

    private static func add(
        _ expansions: [ReadPlan.Expansion],
        of set: EntitySet,
        _ outer: [ExpansionChanges.Level],
        _ moment: Int,
        to stages: inout [DeltaStage]
    ) {
        for expansion in expansions {
            let levels = outer + [ExpansionChanges.Level(set: set, expansion: expansion)]
            let target = expansion.plan.set
            let model = expansion.plan.model
            stages.append(DeltaStage(moment: moment, levels: levels, cause: .related))
            if !Routes([expansion.plan.filter], over: target, in: model).isEmpty {
                stages.append(DeltaStage(moment: moment, levels: levels, cause: .conditions))
            }
            if let link = expansion.link(of: set) {
                stages.append(DeltaStage(moment: moment, levels: levels, cause: .links))
                if !Routes([expansion.linkFilter], over: link.set, in: model).isEmpty {
                    stages.append(DeltaStage(moment: moment, levels: levels, cause: .linkConditions))
                }
            }
            add(expansion.plan.expansions, of: target, levels, moment, to: &stages)
        }
    }
}
