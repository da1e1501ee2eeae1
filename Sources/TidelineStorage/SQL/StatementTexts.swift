// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The texts of statements over some of the columns of a set, made once for each choice of columns.
package final class StatementTexts: Sendable {
    /// Clients send the same few choices again and again.
    private static let limit = 64

    private let known = Mutex<[[Int]: String]>([:])

    package init() {}

    /// The text for the properties at these places, in this order.
    package func text(_ places: [Int], make: () -> String) -> String {
        if let text = known.withLock({ $0[places] }) { return text }
        let text = make()
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[places] = text
        }
        return text
    }
}
