// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineAccounts

/// Renews each refresh token of the pages once, however many windows of a browser come with it.
///
/// All windows have one cookie. Were each given a pair of its own, the one that the browser keeps in the end might be used
/// up already, and its next use would end the sign-in as a thief's.
///
///     window 1: refresh R ── pair P ──▶ cookie P
///     window 2: refresh R ── pair P ──▶ cookie P
final class SessionRenewals: Sendable {
    private struct Renewal {
        var pair: TokenPair
        var at: ContinuousClock.Instant
    }

    /// As long as the accounts take a second use of a token for a repeated one.
    private static let memory = Duration.seconds(TokenLifetimes.standard.graceInSeconds)

    private let now: @Sendable () -> ContinuousClock.Instant
    /// What came of each token that was used up.
    ///
    /// Held while one is renewed: the accounts have one writer at a time in any case.
    private let renewed = Mutex<[String: Renewal]>([:])

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now }) { self.now = now }

    /// The pair that comes after a refresh token.
    ///
    /// Blocks.
    ///
    /// - Throws: `AccountsError` with `invalidToken`, also where the sign-in has ended since; errors of the stores.
    func pair(
        for refresh: String,
        _ accounts: Accounts,
        domain: String,
        directories: [UserDirectory]
    ) throws -> TokenPair {
        let now = now()
        return try renewed.withLock { renewed in
            renewed = renewed.filter { now - $0.value.at < Self.memory }
            guard var pair = renewed[refresh]?.pair else {
                let pair = try accounts.refresh(refresh, domain: domain, directories: directories)
                renewed[refresh] = Renewal(pair: pair, at: now)
                return pair
            }
            // Who has signed out since, or may not sign in any more, is let in by nothing that is remembered here.
            pair.user = try accounts.authenticate(pair.accessToken, domain: domain, directories: directories)
            return pair
        }
    }
}
