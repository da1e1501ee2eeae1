// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// The rows of a query for values as they are now and after each commit that changes them.
public struct LiveRows<Row: Sendable>: AsyncSequence, Sendable {
    let store: LocalStore
    let query: ValueQuery<Row>

    /// Reads one state after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let rows: LiveRows<Row>
        private var results: LiveResults<Row>.AsyncIterator?
        private var values: LiveValues.AsyncIterator?

        init(_ rows: LiveRows<Row>) { self.rows = rows }

        /// The next state, or `nil` at the end.
        ///
        /// - Throws: at the first call also what the model refuses of the query.
        public mutating func next() async throws -> [Row]? {
            let store = rows.store
            switch rows.query.source {
            case .plan(let plan, let read):
                var results = try self.results ?? store.results(of: plan(store.model), read).makeAsyncIterator()
                let state = try await results.next()
                self.results = results
                return state?.rows
            case .aggregation(let plan, let read):
                var values = try self.values ?? store.values(of: plan(store.model)).makeAsyncIterator()
                let state = try await values.next()
                self.values = values
                return try state?.map(read)
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
