// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where the preferences of one user are kept.
public protocol PreferenceStorage: Sendable {
    /// What was saved; empty when nothing was.
    ///
    /// - Throws: ``PreferenceError/Code/damaged`` for what cannot be read any more; it is put aside, not overwritten.
    func load() throws -> [String: PreferenceValue]
    /// Keeps the values of keys, or forgets those that are `nil`; whole or not at all.
    ///
    /// - Parameter all: every value that is set then.
    func save(_ changes: [String: PreferenceValue?], all: [String: PreferenceValue]) throws
    /// An element for each time that somebody else may have changed what is saved; ends where nobody else does.
    func changes() -> AsyncStream<Void>
}
