// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a context noticed of the commits of others.
public struct ContextNews {
    /// Objects without pending changes that have the store's new values now.
    public var refreshed: [ManagedRow] = []
    /// Objects with pending changes whose row was changed or deleted: their save meets that.
    public var stale: [ManagedRow] = []
    /// Objects whose row is gone; they are detached.
    public var removed: [ManagedRow] = []

    /// Whether nothing that the context holds was concerned.
    public var isEmpty: Bool { refreshed.isEmpty && stale.isEmpty && removed.isEmpty }
}
