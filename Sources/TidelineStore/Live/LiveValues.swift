// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
import TidelineStorage

/// The rows of an aggregation, at once and after each commit that changes them.
///
/// A slow reader gets the newest state. Ends when the task is cancelled or the store is closed.
package struct LiveValues: AsyncSequence, Sendable {
    let store: LocalStore
    let sets: Set<Int>
    let plan: AggregationPlan

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Aggregates again when a commit touched what is aggregated.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let values: LiveValues
        private let listener: CommitListener
        private var last: [[Value]]?

        init(_ values: LiveValues) {
            self.values = values
            // Listens before the first read, so that no commit falls between.
            listener = CommitListener(values.store, values.sets)
        }

        /// The next state of the result, or `nil` at the end.
        package mutating func next() async throws -> [[Value]]? {
            let (store, plan) = (values.store, values.plan)
            while !Task.isCancelled {
                if last != nil {
                    guard await store.broadcaster.news(for: listener.id) else { return nil }
                }
                _ = store.broadcaster.take(listener.id)
                let rows = try await store.onThread { try store.live(reading: { try $0.aggregated(plan) }) }
                guard rows != last else { continue }
                last = rows
                return rows
            }
            return nil
        }
    }
}
