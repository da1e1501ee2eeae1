// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// Objects by key and by query.
extension EditingContext {
    /// The object of a key, or `nil` where there is no row of it, or it is deleted here.
    ///
    /// - Throws: ``LocalStoreError``: `unknownSet`, `invalidKey`, and what reading throws.
    public func object(_ key: Key, in set: String) throws -> ManagedRow? {
        let set = try self.set(set)
        return try object(RowIdentity(set: set.index, key: Connection.checked(key, set.layout)))
    }

    /// The object of a key, whose row is read when a property is asked for.
    ///
    /// Whether there is a row is not looked at before.
    public func reference(_ key: Key, in set: String) throws -> ManagedRow {
        let set = try self.set(set)
        let identity = RowIdentity(set: set.index, key: try Connection.checked(key, set.layout))
        if let known = row(identity) { return known }
        var values = [Value](repeating: .null, count: set.layout.columns.count)
        for (place, value) in zip(set.layout.key, identity.key) { values[place] = value }
        let row = ManagedRow(self, set, .unloaded, values)
        register(row)
        return row
    }

    /// The objects of a plan, with the pending changes of this context: what was changed is filtered and ordered as it
    /// stands here, what was deleted is left out.
    ///
    /// The plan's columns are ignored: objects are read whole. While something is pending in a set that the filter or
    /// the order looks at over navigation properties, all rows of the plan's set are read and looked at in memory.
    /// - Throws: ``LocalStoreError``: `unsupported` for a plan with expansions or over a function, and for one with a
    ///   condition in SQL while something is pending.
    public func fetch(_ plan: ReadPlan) throws -> [ManagedRow] {
        try catchUp()
        let set = try self.set(plan.set.names.wire)
        guard plan.expansions.isEmpty, plan.source == nil else {
            throw LocalStoreError(.unsupported, set: set.name, message: "Objects are fetched without expansions.")
        }
        var plan = plan
        plan.columns = Array(set.layout.columns.indices)
        plan.computed = []
        let isOver = store.layout.related(plan).contains { !changed[$0].isEmpty }
        guard isOver || !changed[set.index].isEmpty else {
            return try storedRows(plan).map { adopt($0, set) }
        }
        guard plan.conditions.isEmpty else {
            throw LocalStoreError(
                .unsupported,
                set: set.name,
                message: "A condition in SQL sees no pending changes. Save them first, or ask the store."
            )
        }
        return try overlaid(plan, set, looksElsewhere: isOver)
    }

    /// The number of objects that match a plan's filter, with the pending changes of this context.
    public func count(_ plan: ReadPlan) throws -> Int {
        var plan = plan
        plan.orderBy = []
        plan.skip = 0
        plan.top = nil
        return try fetch(plan).count
    }

    private func overlaid(_ plan: ReadPlan, _ set: ContextSet, looksElsewhere: Bool) throws -> [ManagedRow] {
        var wide = plan
        wide.skip = 0
        if looksElsewhere {
            wide.filter = nil
            wide.orderBy = []
            wide.top = nil
        } else if let top = plan.top {
            wide.top = plan.skip + top + changed[set.index].count
        }
        let evaluation = try ContextEvaluation(self, user: plan.user)
        var rows = try storedRows(wide).map { adopt($0, set) }.filter { !$0.hasChanges }
        if looksElsewhere, let filter = plan.filter { rows = try rows.filter { try evaluation.isTrue(filter, $0) } }
        for row in changed[set.index].values where row.presence != .deleted {
            if try plan.filter.map({ try evaluation.isTrue($0, row) }) ?? true { rows.append(row) }
        }
        let sorted = try evaluation.sorted(rows, by: plan)
        return Array(sorted.dropFirst(plan.skip).prefix(plan.top ?? .max))
    }

    // MARK: What objects and relationships ask

    func object(_ identity: RowIdentity) throws -> ManagedRow? {
        try catchUp()
        if let known = row(identity), known.presence != .unloaded {
            return known.presence == .deleted ? nil : known
        }
        guard let stored = try storedRow(identity) else { return nil }
        return adopt(stored, sets[identity.set])
    }

    /// The objects whose properties at `places` have these values, in the order of their keys.
    func rows(_ set: ContextSet, where places: [Int], are values: [Value]) throws -> [ManagedRow] {
        if places == set.layout.key {
            return try object(RowIdentity(set: set.index, key: values)).map { [$0] } ?? []
        }
        try catchUp()
        var rows = try storedRows(set, places, values).map { adopt($0, set) }.filter { !$0.hasChanges }
        for row in changed[set.index].values where row.presence != .deleted {
            if places.map({ row.values[$0] }) == values { rows.append(row) }
        }
        return rows.sorted { EditingContext.isBefore($0, $1) }
    }

    /// The object of a row that was read; one without pending changes takes its values.
    func adopt(_ stored: [Value], _ set: ContextSet) -> ManagedRow {
        if let identity = set.identity(stored), let known = row(identity) {
            if known.presence == .unloaded
                || known.presence == .stored && known.edit == nil && known.values == known.base
            {
                if known.values != stored || known.presence == .unloaded { known.take(stored) }
            }
            return known
        }
        let row = ManagedRow(self, set, .stored, stored)
        row.base = stored
        register(row)
        keep(row)
        return row
    }

    /// The order of keys, and for objects without a key that in which they came.
    static func isBefore(_ left: ManagedRow, _ right: ManagedRow) -> Bool {
        for place in left.set.layout.key {
            let order = Value.compare(left.values[place], right.values[place]) ?? 0
            if order != 0 { return order < 0 }
        }
        return left.number < right.number
    }

    // MARK: What lies under the context

    func storedRow(_ identity: RowIdentity) throws -> [Value]? {
        if let parent {
            guard let row = try parent.object(identity) else { return nil }
            return row.values
        }
        return try store.reading { try $0.row(sets[identity.set].layout, identity.key)?.values }
    }

    private func storedRows(_ set: ContextSet, _ places: [Int], _ values: [Value]) throws -> [[Value]] {
        if let parent { return try parent.rows(set, where: places, are: values).map(\.values) }
        return try store.reading { try $0.rows(set.layout, where: places, are: values).map(\.values) }
    }

    private func storedRows(_ plan: ReadPlan) throws -> [[Value]] {
        if let parent { return try parent.fetch(plan).map(\.values) }
        return try store.reading { try $0.valueRows(plan) }
    }
}
