// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineStorage

/// Keeps the state of one live list in step with the store, a batch at a time.
///
/// It listens from its making on, so no commit falls between its first read and the next. A commit tells which rows it
/// touched; where these rows and their order are all that matters, they alone are read again, else the whole result.
final class ListReader<Row: Sendable>: Sendable {
    private struct State {
        var result: ListState<Row>
        /// Whether the whole result has to be read: at first, and after a read that failed.
        var isStale = true
        var hasBegun = false
    }

    let store: LocalStore
    let plan: ListPlan<Row>
    private let holdsRows: Bool
    private let listener: CommitListener
    private let state: Mutex<State>
    /// Who may wait for batches, see ``begin()``.
    private let turn = Atomic(0)

    /// - Parameter holdsRows: whether the elements are kept, or only what tells the rows apart.
    init(_ store: LocalStore, _ plan: ListPlan<Row>, holdsRows: Bool) {
        self.store = store
        self.plan = plan
        self.holdsRows = holdsRows
        listener = CommitListener(store, plan.sets)
        state = Mutex(State(result: ListState(plan)))
    }

    /// The keys that were told last.
    var mirror: ListMirror { state.withLock { $0.result.mirror } }

    /// The rows that were told last.
    var rows: [Row] { state.withLock { $0.result.all.compactMap(\.row) } }

    /// A new reader of batches begins; the one before gets no more.
    func begin() -> Int {
        let begun = turn.add(1, ordering: .sequentiallyConsistent).newValue
        // After that, so that the one before either waits already or does not begin to; and not once another one began.
        store.broadcaster.interrupt(listener.id, where: { isTurn(begun) })
        return begun
    }

    func isTurn(_ turn: Int) -> Bool { self.turn.load(ordering: .sequentiallyConsistent) == turn }

    /// Waits for the next batch; the first one comes at once and is the whole result.
    ///
    /// - Returns: `nil` when nothing will come any more.
    func next(turn: Int = 0) async throws -> ListBatch? {
        while !Task.isCancelled {
            let isWaiting = state.withLock { $0.hasBegun && !$0.isStale }
            if isWaiting {
                guard await store.broadcaster.news(for: listener.id, where: { isTurn(turn) }) else { return nil }
            }
            if let batch = try await store.onThread({ try self.update(turn: turn) }) { return batch }
            guard isTurn(turn) else { return nil }
        }
        return nil
    }

    /// Brings the state up to date.
    ///
    /// - Parameter turn: whose turn it must be; `nil` for anybody's.
    /// - Returns: what changed, or `nil` when nothing did; at first the whole result.
    func update(turn: Int? = nil) throws -> ListBatch? {
        try state.withLock { state in
            if let turn, !isTurn(turn) { return nil }
            let known = store.broadcaster.take(listener.id)
            let isFirst = !state.hasBegun
            if known.isEmpty, !state.isStale { return nil }
            let wasStale = state.isStale
            state.isStale = true
            var batch = try store.live(reading: { connection in
                // A part of these commits may lie in the snapshot: they are read now, and told once more later.
                var touched = known
                touched.add(store.broadcaster.peek(listener.id))
                let keys = wasStale ? nil : plan.affected(touched)
                return try refresh(&state.result, keys, connection)
            })
            state.isStale = false
            state.hasBegun = true
            batch.isFirst = isFirst
            return batch.isEmpty && !isFirst ? nil : batch
        }
    }

    /// Brings the state up to date, and tells all of it; nothing to a reader after whom another one began, for it would
    /// take that one's news.
    func restart(turn: Int) throws -> ListBatch? {
        _ = try update(turn: turn)
        return isTurn(turn) ? ListBatch(whole: mirror.sections) : nil
    }

    /// - Parameter keys: the rows to read again, or `nil` for all.
    private func refresh(
        _ result: inout ListState<Row>,
        _ keys: Set<Key>?,
        _ connection: Connection
    ) throws -> ListBatch {
        guard let keys else { return result.replace(with: try plan.all(connection, holdsRows: holdsRows)) }
        guard !keys.isEmpty else { return ListBatch(changes: []) }
        let found = try plan.rows(of: keys, connection, holdsRows: holdsRows)
        guard let top = plan.plan.top else { return result.change(keys, to: found) }
        guard var window = result.window(top, keys, found) else {
            return result.replace(with: try plan.all(connection, holdsRows: holdsRows))
        }
        if let (order, count) = window.follow {
            for row in try plan.rows(after: order, count: count, connection, holdsRows: holdsRows) {
                window.keys.insert(row.key)
                window.found[row.key] = row
            }
        }
        return result.change(window.keys, to: window.found)
    }
}

/// Listens to the commits of a store as long as it lives.
final class CommitListener: Sendable {
    let id: Int
    private let broadcaster: CommitBroadcaster

    init(_ store: LocalStore, _ sets: Set<Int>) {
        broadcaster = store.broadcaster
        id = broadcaster.listen(to: sets)
        store.watchOthers()
    }

    deinit { broadcaster.forget(id) }

    /// Waits for the next commit that concerns it, and takes the news.
    ///
    /// - Returns: false when nothing will come any more.
    func news() async -> Bool {
        guard await broadcaster.news(for: id) else { return false }
        _ = broadcaster.take(id)
        return true
    }
}
