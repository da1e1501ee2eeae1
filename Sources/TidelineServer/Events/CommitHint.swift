// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Passes on that a store of this process has committed something.
final class CommitHint: Sendable {
    private let receiver = Mutex<(@Sendable () -> Void)?>(nil)

    /// Has `receive` called after each commit, on the thread of the writer; it must be quick.
    func onCommit(_ receive: @escaping @Sendable () -> Void) { receiver.withLock { $0 = receive } }

    func committed() { receiver.withLock { $0 }?() }
}
