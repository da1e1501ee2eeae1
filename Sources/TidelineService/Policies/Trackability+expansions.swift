// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Trackability {
    /// Why the changes of an expansion cannot be followed, one sentence; `nil` when they can.
    static func reasonAgainst(
        _ expansion: ReadPlan.Expansion,
        of set: EntitySet,
        in model: EntityModel
    ) -> String? {
        let target = expansion.plan.set
        if target.isReadOnly { return "\(target.names.wire) can only be read, and its changes are not recorded." }
        if let link = expansion.link(of: set)?.set {
            if link.isReadOnly { return "\(link.names.wire) can only be read, and its changes are not recorded." }
            if let filter = expansion.linkFilter, let reason = reasonAgainst(filter, over: link, in: model) {
                return reason
            }
        }
        if let filter = expansion.plan.filter, let reason = reasonAgainst(filter, over: target, in: model) {
            return reason
        }
        if let reason = reasonAgainst(computed: expansion.plan.computed) { return reason }
        for nested in expansion.plan.expansions {
            if let reason = reasonAgainst(nested, of: target, in: model) { return reason }
        }
        return nil
    }

    /// Why values that are computed for each row cannot be followed: what they look at lies in other rows.
    static func reasonAgainst(computed: [TypedExpression]) -> String? {
        let isOwn = computed.allSatisfy { value in
            value.isTrackable && value.paths.allSatisfy(\.navigations.isEmpty)
        }
        return isOwn ? nil : "$compute looks into other entities, or at the clock."
    }
}
