// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Passes on that a store of this process has committed something.
final class CommitHint: Sendable {
    /// A type of its own: a function that a generic container holds is wrapped anew each time the container is borrowed,
    /// and each call would go through all wrappings of before.
    private struct Receiver {
        var receive: (@Sendable () -> Void)?
    }

    private let receiver = Mutex(Receiver())

    /// Has `receive` called after each commit, on the thread of the writer; it must be quick.
    func onCommit(_ receive: @escaping @Sendable () -> Void) { receiver.withLock { $0.receive = receive } }

    func committed() { receiver.withLock { $0.receive }?() }
}
