// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

/// Results of one query, now and after each commit that changes them: what comes first is the whole result.
///
/// A commit that touches the query's sets and leaves its rows as they are is not told. A slow reader gets the newest
/// state; the differences then span all commits between. Commits of a sync, of SQL through the store and of other
/// processes are told like those of the app. Ends when the task is cancelled or the store is closed. All rows are held;
/// for results too large for that there is ``LiveList``.
public struct LiveResults<Row: Sendable>: AsyncSequence, Sendable {
    let store: LocalStore
    let plan: @Sendable () throws -> ListPlan<Row>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Reads again what commits touched.
    ///
    /// Not for two tasks at once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let results: LiveResults<Row>
        private var reader: ListReader<Row>?

        init(_ results: LiveResults<Row>) { self.results = results }

        /// The next state of the result, or `nil` at the end.
        ///
        /// - Throws: ``LocalStoreError``; at the first call also when the model has not what the plan names.
        public mutating func next() async throws -> LiveResult<Row>? {
            let reader = try reader ?? ListReader(results.store, results.plan(), holdsRows: true)
            self.reader = reader
            guard let batch = try await reader.next() else { return nil }
            return LiveResult(rows: reader.rows, batch: batch)
        }
    }
}

extension LocalStore {
    /// The rows of a plan, now and after each commit that changes them.
    public func results(of plan: ReadPlan) -> LiveResults<[String: Value]> {
        LiveResults(store: self) { [layout] in
            try ListPlan(plan, section: nil, layout: layout) { try Connection.dynamicRow($0, $1, $2) }
        }
    }

    /// The entities of a plan, now and after each commit that changes them.
    public func results<E: Entity>(of type: E.Type, _ plan: ReadPlan) -> LiveResults<E> {
        results(of: plan) { try E(row: &$0) }
    }
}
