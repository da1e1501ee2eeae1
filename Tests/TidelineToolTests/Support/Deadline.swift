// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Kills a process that has not ended in time.
final class Deadline: Sendable {
    private let isCancelled = Atomic<Bool>(false)

    init(_ duration: Duration, process: Int32) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(duration.components.seconds))) {
            [weak self] in
            guard let self, !self.isCancelled.load(ordering: .acquiring) else { return }
            kill(process, SIGKILL)
        }
    }

    func cancel() { isCancelled.store(true, ordering: .releasing) }
}
