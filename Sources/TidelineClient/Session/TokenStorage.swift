// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where the refresh token of a sign-in is kept between runs.
public protocol TokenStorage: Sendable {
    /// The tokens kept, or `nil`.
    func load() throws -> StoredTokens?
    /// Keeps tokens in the place of those before, at once or not at all.
    func save(_ tokens: StoredTokens) throws
    /// Forgets them; nothing happens when there are none.
    func remove() throws
}
