// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One change as it would be sent, by the names of its properties.
///
///     insert   no old values, those given as new ones
///     update   the old and the new values of what changed, and of nothing else
///     delete   the old values, and no new ones
///
/// Properties that stay on the device are in none of them.
public struct DeltaChange: Hashable, Sendable {
    /// The wire name of the entity set.
    public var set: String
    public var key: Key
    public var operation: Change.Operation
    /// The number of the local transaction, or `nil` for what no save has written yet.
    public var transaction: Int64?
    public var old: [String: Value]
    public var new: [String: Value]
}

extension DeltaChange {
    init(_ change: OutboxChange, _ layout: StoreLayout, transaction: Int64?) {
        let set = layout.sets[change.set]
        self.set = set.name
        key = Key(change.key)
        operation = change.operation
        self.transaction = transaction
        old = [:]
        new = [:]
        for assignment in change.change(layout).assignments {
            let column = set.columns[assignment.property]
            let property = column.property
            guard !property.isLocalOnly else { continue }
            if operation != .insert { old[property.names.wire] = assignment.before }
            if operation != .delete, !column.isMade { new[property.names.wire] = assignment.after }
        }
    }
}

extension LocalStore {
    /// What waits to be sent, in the order in which it is sent; changes of one transaction are folded where their turn
    /// does not matter.
    public func pendingChanges() throws -> [DeltaChange] {
        try reading { connection in
            try PendingLog.load(connection).entries.flatMap { entry in
                entry.changes.map { DeltaChange($0, layout, transaction: entry.number) }
            }
        }
    }
}

extension EditingContext {
    /// What a save would write, by the names of the properties: new objects, changed ones, deleted ones.
    public func pendingChanges() -> [DeltaChange] {
        changedRows.compactMap { row in
            guard let identity = row.identity, row.edit?.isNew != true else { return nil }
            let operation: Change.Operation =
                switch row.presence {
                case .new: .insert
                case .deleted: .delete
                default: .update
                }
            let (posted, base) = (row.posted, row.base ?? row.posted)
            let assignments = base.indices.filter { posted[$0] != base[$0] }.map {
                Change.Assignment(property: $0, before: base[$0], after: posted[$0])
            }
            guard operation != .update || !assignments.isEmpty else { return nil }
            let change = OutboxChange(
                set: identity.set,
                operation: operation,
                turn: 0,
                key: identity.key,
                etag: nil,
                row: operation == .update ? [] : operation == .insert ? posted : base,
                assignments: operation == .update ? assignments : []
            )
            return DeltaChange(change, store.layout, transaction: nil)
        }
    }
}
