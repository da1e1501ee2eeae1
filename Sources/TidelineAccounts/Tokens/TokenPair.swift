// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a sign-in gives: a short access token and a refresh token that is good for one use.
public struct TokenPair: Hashable, Sendable {
    public var accessToken: String
    /// How long the access token is valid.
    public var expiresIn: Duration
    public var refreshToken: String
    public var user: User

    public init(accessToken: String, expiresIn: Duration, refreshToken: String, user: User) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.user = user
    }
}
