// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How long tokens live, in seconds.
public struct TokenLifetimes: Hashable, Sendable {
    public var accessInSeconds: Int64
    public var refreshInSeconds: Int64
    /// After a refresh token was used: how long a second use counts as a repeated request whose answer was lost.
    public var graceInSeconds: Int64

    public init(accessInSeconds: Int64, refreshInSeconds: Int64, graceInSeconds: Int64) {
        self.accessInSeconds = accessInSeconds
        self.refreshInSeconds = refreshInSeconds
        self.graceInSeconds = graceInSeconds
    }

    /// 15 minutes, 90 days, one minute.
    public static let standard = TokenLifetimes(
        accessInSeconds: 15 * 60,
        refreshInSeconds: 90 * 24 * 60 * 60,
        graceInSeconds: 60
    )
}
