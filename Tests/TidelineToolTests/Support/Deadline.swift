// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Kills a process that has not ended in time.
final class Deadline: Sendable {
    private let item: DispatchWorkItem

    init(_ duration: Duration, process: Int32) {
        item = DispatchWorkItem { kill(process, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(duration.components.seconds)), execute: item)
    }

    func cancel() { item.cancel() }
}
