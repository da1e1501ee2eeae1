// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a device keeps of a sign-in.
public struct StoredTokens: Hashable, Sendable, Codable {
    /// Where the tokens came from, and the only place where they go.
    public var origin: String
    public var user: String
    public var refreshToken: String

    public init(origin: String, user: String, refreshToken: String) {
        self.origin = origin
        self.user = user
        self.refreshToken = refreshToken
    }
}
