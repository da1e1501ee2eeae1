// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts

/// The tokens of the account that a browser is signed in to, as the cookie holds them.
struct AccountSession: Sendable {
    let access: String
    let refresh: String

    /// - Returns: `nil` for a text of another form.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 256, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        access = String(parts[0])
        refresh = String(parts[1])
    }

    static func text(_ pair: TokenPair) -> String { "\(pair.accessToken).\(pair.refreshToken)" }

    /// Who is signed in, and the cookie of new tokens where the old ones came to their end.
    ///
    /// - Returns: `nil` where the tokens open nothing any more.
    func account(
        _ accounts: Accounts,
        _ loaded: LoadedDomain,
        _ directory: UserDirectory,
        _ renewals: SessionRenewals
    ) throws -> (user: User, renewed: String?)? {
        do {
            let user = try accounts.authenticate(access, domain: directory.domain, directories: loaded.directories)
            return user.directory == directory.name ? (user, nil) : nil
        } catch let error as AccountsError where error.code == .invalidToken {
            do {
                let pair = try renewals.pair(
                    for: refresh,
                    accounts,
                    domain: directory.domain,
                    directories: loaded.directories
                )
                return pair.user.directory == directory.name ? (pair.user, Self.text(pair)) : nil
            } catch let error as AccountsError where error.code == .invalidToken {
                return nil
            }
        }
    }
}
