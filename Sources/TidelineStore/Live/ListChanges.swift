// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The batches of a live list: the whole list first, then one batch for each commit that changes it.
///
/// What commits do while the reader is busy is folded into one batch that is still right. A commit that leaves the rows
/// and their order as they are is not told. Ends when the task is cancelled, when the store is closed, and when another
/// iterator of the same list begins.
public struct ListChanges<Element: Sendable>: AsyncSequence, Sendable {
    let list: LiveList<Element>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list) }

    /// Waits for one batch after the other.
    ///
    /// Not for two tasks at once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let list: LiveList<Element>
        private var turn: Int?

        init(_ list: LiveList<Element>) { self.list = list }

        /// The next batch, which the list shows then; `nil` at the end.
        ///
        /// - Throws: ``LocalStoreError``: `closed`, `io`. The next call reads the whole list and tells how it differs.
        public mutating func next() async throws -> ListBatch? {
            if Task.isCancelled { return nil }
            let list = list
            guard let turn else {
                let turn = list.reader.begin()
                self.turn = turn
                let batch = try await list.store.onThread { try list.reader.restart(turn: turn) }
                if let batch { list.pages.forget(batch) }
                return batch
            }
            guard list.reader.isTurn(turn), let batch = try await list.reader.next(turn: turn) else { return nil }
            list.pages.forget(batch)
            return batch
        }
    }
}
