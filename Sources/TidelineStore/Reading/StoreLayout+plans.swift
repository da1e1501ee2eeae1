// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension StoreLayout {
    /// The plan over this file's own model: whatever the caller planned with, tables and forms are those of the file.
    func local(_ plan: ReadPlan) throws -> (ReadPlan, SetLayout) {
        guard plan.expansions.isEmpty else {
            throw LocalStoreError(
                .unsupported,
                set: plan.set.names.wire,
                message: "These rows have no place for related entities. Use `fetchExpanded`, or push into a sink."
            )
        }
        let local = try localized(plan)
        return (local, try self.set(local.set.names.wire))
    }

    func localized(_ plan: ReadPlan) throws -> ReadPlan {
        let set = try self.set(plan.set.names.wire)
        let navigations = set.set.type.navigationProperties
        guard plan.columns.allSatisfy(set.columns.indices.contains),
            plan.expansions.map(\.navigation).allSatisfy(navigations.indices.contains)
        else {
            throw LocalStoreError(
                .unknownProperty,
                set: set.name,
                message: "The plan names a property that is not there."
            )
        }
        var plan = plan
        plan.model = model
        plan.set = set.set
        plan.includesETag = false
        plan.expansions = try plan.expansions.map { expansion in
            var expansion = expansion
            expansion.plan = try localized(expansion.plan)
            let navigation = navigations[expansion.navigation]
            guard expansion.plan.set.names.wire == navigation.targetSet else {
                throw LocalStoreError(
                    .unknownProperty,
                    set: set.name,
                    properties: [navigation.names.wire],
                    message: "'\(navigation.names.wire)' leads to '\(navigation.targetSet)'."
                )
            }
            return expansion
        }
        return plan
    }
}
