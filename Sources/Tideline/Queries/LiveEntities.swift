// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// The entities of a query as they are now and after each commit that changes them.
public struct LiveEntities<Element: Queryable>: AsyncSequence, Sendable {
    let start: @Sendable () throws -> LiveResults<Element>

    /// Reads one state after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let start: @Sendable () throws -> LiveResults<Element>
        var states: LiveResults<Element>.AsyncIterator?

        public mutating func next() async throws -> [Element]? {
            var current = try states ?? start().makeAsyncIterator()
            let state = try await current.next()
            states = current
            return state?.rows
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(start: start) }
}
