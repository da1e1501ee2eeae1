// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A scratch pad over a store: objects with identity whose changes are held until they are saved.
///
///     let context = EditingContext(store)
///     let order = try context.object(Key([.integer(7)]), in: "Orders")
///     try order?.set("Status", .integer(2))          // marks this property alone
///     try context.save()                             // one transaction of the store, or nothing
///
/// One row is one ``ManagedRow``, however it is reached. Objects without changes are held weakly, the last few of
/// them, and all that have changes, strongly. Relationships are read from foreign keys, so both ends always agree.
///
/// A context belongs to one isolation domain, is not `Sendable`, and reads the store synchronously on the caller's
/// thread. It takes notice of what others commit when it is used, never on a thread of its own; ``commits`` tells when
/// that is worth while. Sends nothing: a save writes to the store, and a sync sends what the store recorded.
public final class EditingContext {
    /// The store that objects come from.
    public let store: LocalStore
    /// The context that this one saves into, or `nil` for the store itself.
    public let parent: EditingContext?
    /// Called where the context notices commits of others: in the caller's own call, before it goes on.
    public var onRefresh: ((ContextNews) -> Void)?
    /// The most steps back that are kept; the oldest are forgotten.
    public var undoLimit = 200 { didSet { trimUndo() } }
    /// How many objects without changes are held though nobody else does, so that they need not be read again.
    public var keptObjects = 500 { didSet { trimKept() } }

    let sets: [ContextSet]
    /// The objects by their keys, those without changes weakly.
    var registered: [RowIdentity: WeakRow] = [:]
    /// The objects with changes, by the place of their set.
    var changed: [[ObjectIdentifier: ManagedRow]]
    /// Counts what changed in each set as seen here: pending changes, and commits.
    var editions: [Int]
    /// The parent's ``editions`` that were taken notice of.
    var seenEditions: [Int]
    var undoStack: [[UndoStep]] = []
    var redoStack: [[UndoStep]] = []
    var openGroup: [UndoStep]?
    /// The steps that an undo or a redo has before and behind it.
    var flight: (left: [UndoStep], done: [UndoStep]) = ([], [])
    var isCatchingUp = false
    /// What others touched and was not looked at yet.
    var forgotten = TouchedRows()
    var calculations: [String: Calculation] = [:]
    var children: [WeakContext] = []
    private var kept: [ManagedRow] = []
    private var sweepCount = 256
    private var lastNumber = 0
    private var lastProvisional: Int64 = 0
    /// Where word of commits comes in, and waits; `nil` in a context over another one.
    let listener: CommitListener?

    /// Makes a context whose saves write to a store.
    public init(_ store: LocalStore) {
        self.store = store
        parent = nil
        sets = store.layout.sets.map(ContextSet.init)
        changed = Array(repeating: [:], count: sets.count)
        editions = Array(repeating: 0, count: sets.count)
        seenEditions = editions
        listener = CommitListener(store, Set(sets.indices))
    }

    /// Makes a context whose saves go into another context, of the same isolation domain.
    ///
    /// It sees the pending changes of that; its own are seen there when they are saved.
    public init(parent: EditingContext) {
        store = parent.store
        self.parent = parent
        sets = parent.sets
        changed = Array(repeating: [:], count: sets.count)
        editions = Array(repeating: 0, count: sets.count)
        seenEditions = parent.editions
        listener = nil
        parent.children.removeAll { $0.context == nil }
        parent.children.append(WeakContext(context: self))
    }

    /// The model of the store.
    public var model: EntityModel { store.model }

    /// Whether anything would be saved.
    public var hasChanges: Bool { changed.contains { !$0.isEmpty } }

    /// The objects with pending changes, by set and in the order in which they came into the context.
    public var changedRows: [ManagedRow] {
        changed.flatMap { $0.values.sorted { $0.number < $1.number } }
    }

    /// How many objects the context knows.
    public var registeredCount: Int { registered.values.count { $0.row != nil } }

    func set(_ name: String) throws -> ContextSet { sets[try store.layout.set(name).index] }

    var root: EditingContext { parent?.root ?? self }

    // MARK: Identity

    struct WeakRow { weak var row: ManagedRow? }

    struct WeakContext { weak var context: EditingContext? }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// A key for an object that was not saved: distinct in the whole tree of contexts, and never written anywhere.
    ///
    /// From the lower end of the type, where no temporary key of the store comes to.
    func provisionalKey(_ column: DeviceColumn) -> Value {
        root.lastProvisional += 1
        return .integer(max(column.rule.low, Int64(Int32.min)) + root.lastProvisional - 1)
    }

    func row(_ identity: RowIdentity) -> ManagedRow? { registered[identity]?.row }

    func register(_ row: ManagedRow) {
        guard let identity = row.identity else { return }
        if let other = registered[identity]?.row, other !== row, other.presence != .deleted { return }
        registered[identity] = WeakRow(row: row)
        guard registered.count > sweepCount else { return }
        registered = registered.filter { $0.value.row != nil }
        sweepCount = max(256, registered.count * 2)
    }

    func unregister(_ row: ManagedRow, as identity: RowIdentity?) {
        guard let identity, let known = registered[identity], known.row == nil || known.row === row else { return }
        registered[identity] = nil
    }

    /// Holds an object for a while though nobody else does.
    func keep(_ row: ManagedRow) {
        kept.append(row)
        trimKept()
    }

    private func trimKept() {
        guard kept.count > max(keptObjects, 0) * 2 || keptObjects == 0 else { return }
        kept.removeFirst(kept.count - max(keptObjects, 0))
    }

    /// Drops the objects without changes that nobody else holds, and whatever was computed for the others.
    ///
    /// For when memory runs short. What is asked for later is read again.
    public func dropCleanObjects() {
        kept.removeAll(keepingCapacity: false)
        registered = registered.filter { $0.value.row != nil }
        sweepCount = max(256, registered.count * 2)
        for entry in registered.values { entry.row?.calculated = [:] }
    }

    /// Puts an object among those with changes or takes it out, by what it is.
    func updateMembership(_ row: ManagedRow) {
        let id = ObjectIdentifier(row)
        if row.hasChanges {
            changed[row.set.index][id] = row
        } else if changed[row.set.index].removeValue(forKey: id) != nil {
            row.isStale = false
            if row.presence == .stored { keep(row) }
        }
    }

    func touch(_ set: Int) { editions[set] += 1 }
}

@available(*, unavailable, message: "A context belongs to one isolation domain.")
extension EditingContext: Sendable {}
