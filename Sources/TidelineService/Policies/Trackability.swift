// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Which conditions a delta can follow: those whose truth changes only with rows that the change log tells of.
enum Trackability {
    /// Why the condition cannot be followed, one sentence; `nil` when it can.
    static func reasonAgainst(_ condition: TypedExpression, over set: EntitySet, in model: EntityModel) -> String? {
        if condition.calls(.now) { return "its truth changes with the clock (now), not with a change of data." }
        if let call = condition.invocations.first {
            return "it calls a function (\(call.operation.names.wire)), whose data is not known."
        }
        if condition.looksAtCollections {
            return "it looks into many entities (any, all or $count of a navigation property)."
        }
        if set.isReadOnly { return nil }
        for path in condition.paths {
            var type = set.type
            for (place, step) in path.navigations.enumerated() {
                let navigation = type.navigationProperties[step]
                guard let target = model[set: navigation.targetSet] else { return "a path leads out of the model." }
                if navigation.isCollection { return "it looks into many entities (\(navigation.names.wire))." }
                if target.isReadOnly {
                    return
                        "it looks into \(target.names.wire), which can only be read and whose changes are not recorded."
                }
                if Set(navigation.constraints.map(\.target)) != Set(target.type.key) || !navigation.isDependent {
                    return "\(navigation.names.wire) does not lead to the key of \(target.names.wire)."
                }
                if let guarded = path.guards.indices.contains(place) ? path.guards[place] : nil,
                    let reason = reasonAgainst(guarded, over: target, in: model)
                {
                    return reason
                }
                type = target.type
            }
        }
        return nil
    }
}
