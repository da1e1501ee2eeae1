// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
import Synchronization
public import TidelineModel
public import TidelineStore

/// A live list for a user interface: it changes on the main actor, once a batch, and tells who observes it.
///
///     let talks = ObservedList(store, Talk.all.sorted { $0.start }, sectionedBy: { $0.track })
///     List {
///         ForEach(talks.sections) { section in
///             Section(section.name) {
///                 ForEach(section.keys, id: \.self) { key in TalkRow(talk: talks[key]) }
///             }
///         }
///     }
///
/// Elements are read when they are looked at, a page at a time. It goes when nobody holds it any more.
///
/// It runs the same on Linux, where its tests are; in SwiftUI itself it was not run.
@MainActor
@Observable
public final class ObservedList<Element: Queryable> {
    /// How many batches have come.
    ///
    /// All that is seen of the list is observed by this number: a batch that changes what rows hold leaves the keys as
    /// they are, and two batches can be equal.
    public private(set) var revision = 0
    /// Why the list does not follow the store any more, or what could not be read.
    public private(set) var error: (any Error)?

    @ObservationIgnored private var current = (mirror: ListMirror(), batch: ListBatch?.none)
    @ObservationIgnored private var list: LiveList<Element>?
    @ObservationIgnored private let following = Following()
    @ObservationIgnored private let store: LocalStore

    /// The entities of a query; the list is empty until the first batch has come.
    public init(_ store: LocalStore, _ query: Query<Element>, pageSize: Int = 50) {
        self.store = store
        show(query, pageSize: pageSize)
    }

    /// The entities of a query in sections; the list is empty until the first batch has come.
    ///
    /// See ``LiveList/init(_:_:pageSize:sectionedBy:)``.
    public init<Content>(
        _ store: LocalStore,
        _ query: Query<Element>,
        pageSize: Int = 50,
        sectionedBy section: (Element.Columns) -> Term<Content>
    ) {
        self.store = store
        show(query, pageSize: pageSize, sectionedBy: section)
    }

    /// Shows another query: that of another parent, another filter or order.
    ///
    /// The rows of the one before stay until the first batch of the new one has come.
    public func show(_ query: Query<Element>, pageSize: Int = 50) {
        follow { try LiveList(store, query, pageSize: pageSize) }
    }

    /// Shows another query in sections.
    public func show<Content>(
        _ query: Query<Element>,
        pageSize: Int = 50,
        sectionedBy section: (Element.Columns) -> Term<Content>
    ) {
        follow { try LiveList(store, query, pageSize: pageSize, sectionedBy: section) }
    }

    /// The keys of the rows, as the last batch left them.
    public var mirror: ListMirror {
        _ = revision
        return current.mirror
    }

    /// The last batch, for views that animate; `nil` before the first.
    public var batch: ListBatch? {
        _ = revision
        return current.batch
    }

    /// The sections, in their order.
    public var sections: [ListSection] { mirror.sections }

    /// The number of rows in all sections.
    public var count: Int { mirror.count }

    /// The element of a row, or `nil` where there is none, or none any more.
    public subscript(section: Int, row: Int) -> Element? {
        let place = ListPlace(section: section, row: row)
        return read { try $0.element(at: place, of: $1) }
    }

    /// The element of a key in the list, or `nil` where there is none, or none any more.
    public subscript(key: Key) -> Element? { read { try $0.element(of: key, in: $1) } }

    private func read(_ body: (LiveList<Element>, ListMirror) throws -> Element?) -> Element? {
        let mirror = mirror
        do {
            return try list.flatMap { try body($0, mirror) }
        } catch {
            // A view reads again when this changes: once, or it would be drawn without end.
            if self.error == nil { self.error = error }
            return nil
        }
    }

    /// Stops following the store; the list stays as it is.
    public func stop() { following.set(nil) }

    private func follow(_ make: () throws -> LiveList<Element>) {
        error = nil
        do {
            let list = try make()
            following.set(
                Task { [weak self] in
                    do {
                        for try await batch in list.changes {
                            guard !Task.isCancelled, let self else { return }
                            self.take(batch, of: list)
                        }
                    } catch {
                        // What a list says that is followed no more is not said of the one after it.
                        if !Task.isCancelled { self?.error = error }
                    }
                }
            )
        } catch {
            following.set(nil)
            self.error = error
        }
    }

    private func take(_ batch: ListBatch, of list: LiveList<Element>) {
        self.list = list
        current.mirror.apply(batch)
        current.batch = batch
        revision += 1
    }
}

/// The task that follows the store, ended with its holder.
private final class Following: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    func set(_ new: Task<Void, Never>?) {
        let old = task.withLock { task in
            defer { task = new }
            return task
        }
        old?.cancel()
    }

    deinit { task.withLock { $0?.cancel() } }
}
