// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Hands the newest progress to everyone who watches.
final class ProgressBoard: Sendable {
    private struct State {
        var next = 0
        var watchers: [Int: AsyncStream<SyncProgress>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func post(_ progress: SyncProgress) {
        let watchers = state.withLock { Array($0.watchers.values) }
        for watcher in watchers { watcher.yield(progress) }
    }

    /// A stream of what is posted from now on; a slow reader gets the newest alone.
    func watch() -> AsyncStream<SyncProgress> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncProgress.self, bufferingPolicy: .bufferingNewest(1))
        let place = state.withLock { state in
            state.next += 1
            state.watchers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: place) }
        }
        return stream
    }
}
