// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// The result of a query in sections, kept in step with the store: a batch of changes for each commit.
///
///     let list = try LiveList(store, Talk.all.sorted { $0.start }, sectionedBy: { $0.track })
///     for try await batch in list.changes {
///         tell(batch, list.sections.map(\.name))      // list[0, 3] is the fourth row of the first section
///     }
///
/// ``sections``, ``count`` and the subscripts show the list as the last batch left it; before the first one it is empty.
/// Of all rows it holds the keys and what their order needs; elements are read when they are looked at, a page at a time,
/// and a few pages are kept, so that a list of a hundred thousand rows costs the memory of its keys.
///
/// Commits of the app, of a sync, of SQL through the store and of other processes are told alike.
public final class LiveList<Element: Sendable>: Sendable {
    /// The store that the list is of.
    public let store: LocalStore
    let reader: ListReader<Element>
    let pages: ListPages<Element>

    init(_ store: LocalStore, _ plan: ListPlan<Element>, pageSize: Int) {
        precondition(pageSize > 0, "A page has at least one row.")
        self.store = store
        reader = ListReader(store, plan, holdsRows: false)
        pages = ListPages(size: pageSize)
    }

    /// The sections, in their order.
    public var sections: [ListSection] { reader.mirror.sections }

    /// The number of rows in all sections.
    public var count: Int { reader.mirror.count }

    /// What changes, a batch a commit; the first batch is the whole list.
    ///
    /// A reader that is slower than the commits gets one batch for all that it missed, which is as right as the single
    /// ones would have been. A list has one reader: who asks for a new iterator begins with the whole list again, and
    /// the one before ends.
    public var changes: ListChanges<Element> { ListChanges(list: self) }

    /// Brings the list up to date at once.
    ///
    /// Blocks the thread. For programs that do not wait for ``changes``; those who do miss what this returns.
    /// - Returns: what changed since the last batch, or `nil` when nothing did; at first the whole list.
    /// - Throws: ``LocalStoreError``: `closed`, `io`.
    public func update() throws -> ListBatch? {
        let batch = try reader.update()
        if let batch { pages.forget(batch) }
        return batch
    }

    /// The element of a row, read from the store where it is not held.
    ///
    /// `nil` where there is no such row, and for a row that was deleted since the last batch: the next one tells it.
    public subscript(section: Int, row: Int) -> Element? {
        get throws { try element(at: ListPlace(section: section, row: row), of: reader.mirror) }
    }

    /// The element at a place of a mirror of this list.
    ///
    /// For those who keep a mirror of their own, and are perhaps a batch behind the list.
    public func element(at place: ListPlace, of mirror: ListMirror) throws -> Element? {
        guard mirror[place] != nil else { return nil }
        return try pages.element(at: place.row, of: mirror.sections[place.section].keys) { keys in
            try store.reading { try reader.plan.elements(of: keys, $0) }
        }
    }

    /// The element of a key in a mirror of this list, or `nil` where the mirror or the store has none.
    ///
    /// Where it is not held, its place is looked for row by row.
    public func element(of key: Key, in mirror: ListMirror) throws -> Element? {
        if let held = pages.held(key) { return held }
        for (section, part) in mirror.sections.enumerated() {
            guard let row = part.keys.firstIndex(of: key) else { continue }
            return try element(at: ListPlace(section: section, row: row), of: mirror)
        }
        return nil
    }

    /// Forgets the elements that are held; they are read again when they are looked at.
    public func releaseMemory() { pages.removeAll() }
}

extension LiveList {
    /// The entities of a plan, in sections.
    ///
    /// - Parameters:
    ///   - plan: over the store's model, its columns the properties of the type in its order.
    ///   - section: what the rows of a section have in common; `nil` for one section. The list is ordered by it first.
    ///   - pageSize: how many elements are read together.
    /// - Throws: ``LocalStoreError`` when the store's model has not what the plan names.
    public convenience init(
        _ store: LocalStore,
        plan: ReadPlan,
        sectionedBy section: TypedExpression? = nil,
        pageSize: Int = 50
    ) throws where Element: Entity {
        let list = try ListPlan<Element>(plan, section: section, layout: store.layout) { statement, columns, select in
            var cursor = RowCursor(statement, columns, select)
            return try Element(row: &cursor)
        }
        self.init(store, list, pageSize: pageSize)
    }
}

extension LocalStore {
    /// The rows of a plan, in sections, kept in step with the store.
    ///
    /// - Parameters:
    ///   - plan: over the store's model.
    ///   - section: what the rows of a section have in common; `nil` for one section. The list is ordered by it first,
    ///     and limit and offset count in that order.
    ///   - pageSize: how many rows are read together.
    /// - Throws: ``LocalStoreError`` when the store's model has not what the plan names.
    public func list(
        of plan: ReadPlan,
        sectionedBy section: TypedExpression? = nil,
        pageSize: Int = 50
    ) throws -> LiveList<[String: Value]> {
        let list = try ListPlan(plan, section: section, layout: layout) { try Connection.dynamicRow($0, $1, $2) }
        return LiveList(self, list, pageSize: pageSize)
    }
}
