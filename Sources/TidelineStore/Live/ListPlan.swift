// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What a live list reads, and how much of it a commit makes it read again.
struct ListPlan<Row: Sendable>: Sendable {
    /// Makes the element of a row from a statement that is at it; the columns are those of ``SetLayout/columns(of:)``.
    typealias Reading = @Sendable (Statement, [DeviceColumn], SelectStatement) throws -> Row

    /// The plan over the file's own model, the section first in its order.
    let plan: ReadPlan
    let set: SetLayout
    let isSectioned: Bool
    /// The sets that the plan reads over navigation properties: what changes there can change any row.
    let related: Set<Int>
    /// The complete order, the key last.
    let order: [ReadPlan.SortKey]
    /// Whether a row can be placed among others by its own values alone.
    let isPlaceable: Bool
    let read: Reading

    /// - Parameter section: what the rows of a section have in common, over the plan's set.
    /// - Throws: ``LocalStoreError`` when the model has not what the plan names.
    init(_ plan: ReadPlan, section: TypedExpression?, layout: StoreLayout, read: @escaping Reading) throws {
        var (plan, set) = try layout.local(plan)
        if let section {
            let known = plan.orderBy.first { $0.expression == section }
            plan.orderBy.removeAll { $0.expression == section }
            plan.orderBy.insert(known ?? ReadPlan.SortKey(section), at: 0)
        }
        self.plan = plan
        self.set = set
        self.read = read
        isSectioned = section != nil
        order = plan.completeOrder
        related = layout.related(plan)
        let own = order.allSatisfy { $0.collation == nil && $0.expression.isPlaceable(in: set) }
        let isSteady = (plan.filter.map { [$0] } ?? []) + plan.computed
        isPlaceable = own && plan.skip == 0 && plan.source == nil && isSteady.allSatisfy(\.isTrackable)
    }

    /// All sets whose commits concern the list.
    var sets: Set<Int> { related.union([set.index]) }

    /// Which rows a commit makes the list read again: those of the keys, or all, which is `nil`.
    func affected(_ touched: TouchedRows) -> Set<Key>? {
        guard isPlaceable, !touched.touches(related) else { return nil }
        switch touched.sets[set.index] {
        case .rows(let keys): return keys
        case .whole: return nil
        case nil: return []
        }
    }

    /// Whether the first row stands before the second.
    func precedes(_ left: [Value], _ right: [Value]) -> Bool {
        for (place, key) in order.enumerated() {
            let sign = Value.compare(left[place], right[place]) ?? 0
            if sign != 0 { return (sign < 0) != key.isDescending }
        }
        return false
    }

    /// Whether the first section stands before the second.
    func sectionPrecedes(_ left: Value, _ right: Value) -> Bool {
        guard isSectioned, let sign = Value.compare(left, right), sign != 0 else { return false }
        return (sign < 0) != order[0].isDescending
    }
}

extension TypedExpression {
    /// Whether the value is that of a property of the row which SQLite orders as ``Value/compare(_:_:)`` does.
    fileprivate func isPlaceable(in set: SetLayout) -> Bool {
        guard case .path(let path) = node, path.navigations.isEmpty, path.up == 0,
            set.columns.indices.contains(path.property)
        else { return false }
        let property = set.columns[path.property].property
        return property.structure == nil && property.type != .duration && SQLiteDialect().comparesAsStored(property)
    }
}
