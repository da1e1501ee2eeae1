// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The moments at which a context has something to catch up with, its own saves among them.
public struct ContextCommits: AsyncSequence, Sendable {
    private let listener: CommitListener

    init(_ listener: CommitListener) { self.listener = listener }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listener) }

    /// Waits for one commit after the other; not for two tasks at once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let listener: CommitListener

        init(_ listener: CommitListener) { self.listener = listener }

        /// The next moment, or `nil` at the end.
        public mutating func next() async -> Void? { await listener.news() ? () : nil }
    }
}
