// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One row as an object of an ``EditingContext``: the same object for the same row, however it is reached.
///
///     let name = try row["Name"]
///     try row.set("Name", .string("Ann"))
///     row.state                                   // modified
///
/// Not `Sendable`: it is used where its context is.
public final class ManagedRow {
    enum Presence {
        /// Nothing was read yet.
        case unloaded
        case stored, new, deleted, detached
    }

    /// Edits that were begun and not posted.
    struct EditMode {
        /// The pending values when it began.
        var before: [Value]
        var isNew: Bool
    }

    /// The context, or `nil` where that is gone or the object belongs to none any more.
    public internal(set) weak var context: EditingContext?
    /// Whether somebody else changed or deleted the row while changes of it are pending here.
    public internal(set) var isStale = false
    let set: ContextSet
    /// Its place in the order in which objects came into the context.
    let number: Int
    var presence: Presence
    /// The values as they stand here; of an object that was not read only those of the key.
    var values: [Value]
    /// The values that the changes were made on; `nil` for a new object.
    var base: [Value]?
    var edit: EditMode?
    var hasProvisionalKey = false
    /// The places of the properties that a new object was given.
    var given = Swift.Set<Int>()
    var calculated: [String: (value: Value, editions: [Int])] = [:]
    /// What a typed face made of ``values``.
    package var decoded: (any Sendable)?

    init(_ context: EditingContext, _ set: ContextSet, _ presence: Presence, _ values: [Value]) {
        self.context = context
        self.set = set
        self.presence = presence
        self.values = values
        number = context.nextNumber()
    }

    /// The wire name of the entity set.
    public var entitySet: String { self.set.name }

    /// The entity type.
    public var type: EntityType { self.set.type }

    /// The key.
    ///
    /// A key that the server makes is provisional before the save, temporary before the sync, and final after it; the
    /// object stays the same.
    public var key: Key { Key(set.layout.key.map { values[$0] }) }

    var identity: RowIdentity? { self.set.identity(values) }

    /// What is pending.
    public var state: RowState {
        switch presence {
        case .unloaded: .unchanged
        case .stored: values == base ? .unchanged : .modified
        case .new: edit?.isNew == true ? .addedInEditMode : .added
        case .deleted: .deleted
        case .detached: .detached
        }
    }

    /// Whether the store has no row of it.
    public var isNew: Bool { presence == .new }

    /// Whether the next save deletes it.
    public var isDeleted: Bool { presence == .deleted }

    /// Whether a property has another value than in the store.
    public var isModified: Bool { presence == .stored && values != base }

    /// Whether a save has something to do for it.
    public var hasChanges: Bool {
        switch presence {
        case .unloaded, .detached: false
        case .stored: values != base
        case .new, .deleted: true
        }
    }

    /// The wire names of the properties whose values differ from the store's, in the order of the type.
    public var modifiedProperties: [String] { self.set.layout.names(dirtyPlaces) }

    var dirtyPlaces: [Int] {
        guard let base, presence == .stored else { return [] }
        return values.indices.filter { values[$0] != base[$0] }
    }

    /// What is pending to be saved: edits that were not posted are not.
    var posted: [Value] { edit?.before ?? values }

    /// Forgets what was made of the values.
    func changedValues() {
        decoded = nil
        context?.touch(set.index)
    }
}

extension ManagedRow: Hashable {
    /// Whether both are the same object.
    public static func == (left: ManagedRow, right: ManagedRow) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@available(*, unavailable, message: "An object is used where its context is.")
extension ManagedRow: Sendable {}
