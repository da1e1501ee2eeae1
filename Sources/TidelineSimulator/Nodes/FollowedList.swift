// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

/// A live list of a device, followed by its batches alone.
final class FollowedList {
    private let store: LocalStore
    private let plan: ReadPlan
    private let list: LiveList<[String: Value]>
    private var mirror = ListMirror()

    /// - Parameter property: what the rows are ordered by, before their keys.
    init(_ store: LocalStore, of set: EntitySet, by property: Int, isDescending: Bool = false, top: Int? = nil) throws {
        self.store = store
        func path(_ place: Int) -> TypedExpression {
            TypedExpression(
                node: .path(TypedExpression.Path(navigations: [], property: place)),
                type: set.type.properties[place].type
            )
        }
        var plan = ReadPlan(model: store.model, set: set, columns: set.type.key, includesETag: false)
        plan.orderBy = [ReadPlan.SortKey(path(property), isDescending: isDescending)]
        plan.orderBy += set.type.key.map { ReadPlan.SortKey(path($0)) }
        plan.top = top
        self.plan = plan
        list = try store.list(of: plan)
    }

    /// Takes what changed since the last call.
    ///
    /// - Returns: the keys by the batches, and by a fetch of this moment.
    func follow() throws -> (folded: [Key], fresh: [Key]) {
        if let batch = try list.update() { mirror.apply(batch) }
        let rows = KeyList(plan.set)
        try store.read { _ = try $0.fetch(plan, into: rows.collector) }
        return (mirror.sections.flatMap(\.keys), try rows.keys())
    }
}
