// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The texts of statements that connections keep compiled.
///
/// GRDB keeps them with each connection, and lets go of them with it. The first few hundred are kept: an app asks the same
/// questions over and over, and one that makes new texts for ever shall not fill the memory with them.
final class KnownStatements: Sendable {
    private static let most = 400
    private let texts = Mutex<Set<String>>([])

    /// Whether a statement of that text is kept.
    func keeps(_ sql: String) -> Bool {
        texts.withLock { texts in
            texts.contains(sql) || texts.count < Self.most && texts.insert(sql).inserted
        }
    }
}
