// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The bytes of bodies that one sync sent and received.
final class Traffic: Sendable {
    private let bytes = Mutex((sent: 0, received: 0))

    var sum: (sent: Int, received: Int) { bytes.withLock { $0 } }

    func count(sent: Int, received: Int) {
        bytes.withLock { bytes in
            bytes.sent += sent
            bytes.received += received
        }
    }
}
