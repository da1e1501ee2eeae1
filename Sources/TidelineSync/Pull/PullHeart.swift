// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineStore

/// Shows others that sync the same file that a pull lives, also while it waits for an answer or for its next try.
///
/// They take one that is silent for killed, and a page may take minutes. A lock of the operating system would tell without
/// a write, but the process that iOS puts to sleep while it has one on a shared file is ended, and one that is stopped
/// would keep it for ever. One that wakes finds the mark of who took over, and begins again.
final class PullHeart: Sendable {
    /// How long after one sign the next is given.
    ///
    /// Who waits looks each four seconds. Each sign is a commit, after which another process reads its lists again.
    static let pause = Duration.seconds(2)

    private struct Held {
        /// What nobody goes on with any more is not kept alive.
        weak var claim: PullClaim?
    }

    private let held = Mutex(Held())

    /// The claim of the pull at hand.
    func take(_ claim: PullClaim) { held.withLock { $0.claim = claim } }

    /// Beats until its task is cancelled.
    ///
    /// Each beat is a transaction of its own, and of a pull that has no rows in the file none at all.
    /// - Parameter wait: waits until the next one.
    func beat(in store: LocalStore, every wait: @Sendable (Duration) async throws -> Void) async {
        while !Task.isCancelled, (try? await wait(Self.pause)) != nil {
            guard let claim = held.withLock({ $0.claim }) else { continue }
            // What keeps it from being written, as a full disk or another pull, the pull's own next write meets and tells.
            try? await store.perform { try claim.beat(in: $0) }
        }
    }
}
