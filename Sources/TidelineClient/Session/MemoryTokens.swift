// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tokens that end with the process.
public final class MemoryTokens: TokenStorage {
    private let tokens = Mutex<StoredTokens?>(nil)

    public init() {}

    public func load() -> StoredTokens? { tokens.withLock(\.self) }

    public func save(_ tokens: StoredTokens) { self.tokens.withLock { $0 = tokens } }

    public func remove() { tokens.withLock { $0 = nil } }
}
