// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Undo and redo, in groups.
extension EditingContext {
    /// Whether there is a step back.
    public var canUndo: Bool { !undoStack.isEmpty }

    /// Whether a step back can be taken again.
    public var canRedo: Bool { !redoStack.isEmpty }

    /// Makes all changes in a closure one step of undo.
    ///
    /// When the closure throws, its changes are taken back. Groups may lie in each other; the outermost counts.
    @discardableResult
    public func group<Result>(_ body: () throws -> Result) throws -> Result {
        let start = openGroup?.count
        openGroup = openGroup ?? []
        do {
            let result = try body()
            if start == nil { closeGroup() }
            return result
        } catch {
            let steps = Array((openGroup ?? [])[(start ?? 0)...])
            openGroup = start.map { Array((openGroup ?? [])[..<$0]) }
            _ = reversed(steps)
            throw error
        }
    }

    private func closeGroup() {
        let steps = openGroup ?? []
        openGroup = nil
        guard !steps.isEmpty else { return }
        undoStack.append(steps)
        trimUndo()
    }

    /// Notes a step, in the group that is open or in one of its own.
    func record(_ step: UndoStep) {
        redoStack = []
        if openGroup != nil {
            openGroup?.append(step)
        } else {
            undoStack.append([step])
            trimUndo()
        }
    }

    func trimUndo() {
        if undoStack.count > max(undoLimit, 0) { undoStack.removeFirst(undoStack.count - max(undoLimit, 0)) }
    }

    /// Takes the last step back, also over a save: then the opposite is pending, as a change of its own.
    ///
    /// A deleted object is the same object again, with its relationships. Where its deletion was saved and the server
    /// makes its key, it gets a new one, and so do those that refer to it.
    ///
    /// - Returns: false when there is nothing to take back.
    @discardableResult
    public func undo() -> Bool {
        guard openGroup == nil, let steps = undoStack.popLast() else { return false }
        redoStack.append(reversed(steps))
        return true
    }

    /// Does the last step again that was taken back.
    ///
    /// - Returns: false when there is none.
    @discardableResult
    public func redo() -> Bool {
        guard openGroup == nil, let steps = redoStack.popLast() else { return false }
        undoStack.append(reversed(steps))
        return true
    }

    /// Forgets all steps.
    public func clearUndo() {
        undoStack = []
        redoStack = []
    }

    /// Does the opposite of steps, last first.
    ///
    /// - Returns: the steps that were taken, to be reversed in their turn.
    private func reversed(_ steps: [UndoStep]) -> [UndoStep] {
        flight = (steps, [])
        defer { flight = ([], []) }
        while let step = flight.left.popLast() {
            if let opposite = reverse(step) { flight.done.append(opposite) }
        }
        return flight.done
    }

    private func reverse(_ step: UndoStep) -> UndoStep? {
        switch step {
        case .inserted(let row):
            guard row.presence == .new || row.presence == .stored else { return nil }
            let values = row.values
            row.edit = nil
            takeOut(row)
            return .removed(row, values)
        case .removed(let row, let values):
            return putBack(row, values) ? .inserted(row) : nil
        case .assigned(let row, let assignments):
            guard row.presence == .new || row.presence == .stored else { return nil }
            let back = assignments.map {
                Change.Assignment(property: $0.property, before: row.values[$0.property], after: $0.before)
            }
            apply(row, back.filter { $0.before != $0.after })
            return .assigned(
                row,
                assignments.map { Change.Assignment(property: $0.property, before: $0.after, after: $0.before) }
            )
        }
    }

    /// Brings an object back that was taken out.
    private func putBack(_ row: ManagedRow, _ values: [Value]) -> Bool {
        switch row.presence {
        case .deleted:
            row.presence = .stored
            row.values = values
        case .detached:
            row.presence = .new
            row.values = values
            row.base = nil
            row.context = self
            row.given = []
            renew(row)
        case .new, .stored, .unloaded: return false
        }
        row.changedValues()
        enter(row)
        return true
    }

    /// Gives a new object that takes the place of a deleted row a key of its own, where the server makes the keys: the
    /// old one belongs to the row that was deleted, here and on the server.
    func renew(_ row: ManagedRow) {
        guard !row.hasProvisionalKey, row.set.layout.isGenerated, let old = row.identity else { return }
        unregister(row, as: old)
        var new = row.values
        for column in row.set.layout.columns where column.rule.isGeneratedKey {
            new[column.place] = provisionalKey(column)
        }
        row.values = new
        row.hasProvisionalKey = true
        rename([old: row.set.layout.key.map { new[$0] }])
        register(row)
    }

    // MARK: Taking everything back

    /// Takes all pending changes back: new objects are abandoned, deleted ones are back, changed ones as they were.
    ///
    /// No step of undo is left.
    public func rollback() {
        openGroup = nil
        for row in changedRows { restore(row) }
        clearUndo()
    }

    /// Takes everything back that is pending of a set, as one step of undo.
    public func revert(set name: String) throws {
        let set = try set(name)
        try group {
            for row in changed[set.index].values.sorted(by: { $0.number < $1.number }) { try revert(row) }
        }
    }

    func revert(_ row: ManagedRow) throws {
        row.edit = nil
        switch row.presence {
        case .new:
            let values = row.values
            detach(row)
            record(.removed(row, values))
        case .deleted:
            restore(row)
            record(.inserted(row))
        case .stored:
            let assignments = differences(row, row.base ?? row.values)
            apply(row, assignments)
            if !assignments.isEmpty { record(.assigned(row, assignments)) }
        case .unloaded, .detached: break
        }
    }

    /// Takes back what is pending of an object, without a step.
    func restore(_ row: ManagedRow) {
        row.edit = nil
        switch row.presence {
        case .new: detach(row)
        case .deleted, .stored:
            row.presence = .stored
            row.values = row.base ?? row.values
            row.changedValues()
            register(row)
            updateMembership(row)
        case .unloaded, .detached: break
        }
    }
}
