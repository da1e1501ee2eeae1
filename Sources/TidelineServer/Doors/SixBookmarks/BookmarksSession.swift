// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineModel
import TidelineService

/// Accounts and users of a domain, signing in and out as clients of 2010 do; the directories are those of the domain's
/// own sign-in.
///
/// All methods block; those that take a password are slow by intent.
struct BookmarksSession: Sendable {
    /// What the logon of a user comes to, beside an error.
    enum Outcome: String, Hashable {
        case ok = "LogonOk"
        case invalidUsername = "InvalidUsername"
        case invalidPassword = "InvalidPassword"
        case inactive = "AccountInactive"

        /// For people.
        var message: String? {
            switch self {
            case .ok: nil
            case .invalidUsername: "The user name is not valid."
            case .invalidPassword: "The password is not valid."
            case .inactive: "The user is not active."
            }
        }
    }

    let loaded: LoadedDomain
    let settings: SixBookmarksCompatibility
    let accounts: Accounts

    private var domain: String { loaded.domain.name }

    /// Logs an account on.
    ///
    /// - Returns: the token; `nil` where name or password is wrong.
    func logOn(account name: String, password: String) throws -> String? {
        let directory = try directory(settings.accounts)
        do {
            let account = try accounts.identify(name, password: password, directory: directory)
            return try accounts.makeAccountToken(
                account,
                name: name,
                lifeInSeconds: Int64(settings.tokenMinutes) * 60
            )
        } catch let error as AccountsError where error.code == .invalidCredentials {
            return nil
        } catch let error as AccountsError where error.code == .locked {
            throw BookmarksFault.locked(error.retryAfter?.components.seconds ?? 30)
        }
    }

    /// Logs a user on: from then on the token is the user's.
    func logOn(user name: String, password: String, with token: AccountToken) throws -> Outcome {
        let directory = try directory(settings.users)
        // Two accounts cannot be told apart in a name with a second slash.
        let full = "\(token.accountName)/\(name)"
        let isShort = full.utf8.count <= UserDirectory.mostNameBytes
        guard !name.isEmpty, isShort, !name.contains("/"), !name.utf8.contains(0) else {
            return outcome(.invalidUsername)
        }
        if !token.user.isNull {
            // Whose token it is decides before the password does, so that it tells nothing of other users' passwords.
            guard try directory.user(named: full)?.id == token.user else { throw BookmarksFault.boundToken }
        }
        do {
            let user = try accounts.identify(full, password: password, directory: directory)
            guard try accounts.bind(token, to: user) else { throw BookmarksFault.boundToken }
            return .ok
        } catch let error as AccountsError where error.code == .invalidCredentials {
            guard let user = try directory.user(named: full) else { return outcome(.invalidUsername) }
            return outcome(user.isDisabled ? .inactive : .invalidPassword)
        } catch let error as AccountsError where error.code == .locked {
            throw BookmarksFault.locked(error.retryAfter?.components.seconds ?? 30)
        }
    }

    private func outcome(_ outcome: Outcome) -> Outcome {
        settings.failures == .distinct ? outcome : .invalidPassword
    }

    /// The token of a request and the account that it is of: both are looked at anew each time.
    ///
    /// - Throws: ``BookmarksFault``.
    func token(_ headers: BookmarksHeaders) throws -> AccountToken {
        guard let name = headers.account, let text = headers.token else { throw BookmarksFault.missingHeaders }
        guard let token = try accounts.accountToken(text, domain: domain) else { throw BookmarksFault.invalidToken }
        // Another account's token is told apart from none by nobody.
        guard token.accountName.lowercased() == name.lowercased() else { throw BookmarksFault.invalidToken }
        guard let account = try directory(settings.accounts).user(id: token.account), !account.isDisabled else {
            try accounts.revoke(token)
            throw BookmarksFault.invalidToken
        }
        return token
    }

    /// The user whose token a request has.
    ///
    /// - Throws: ``BookmarksFault``; of a user who is not active any more the token is taken back.
    func user(_ headers: BookmarksHeaders) throws -> User {
        let token = try token(headers)
        guard !token.user.isNull else { throw BookmarksFault.unboundToken }
        guard let user = try directory(settings.users).user(id: token.user), !user.isDisabled else {
            try accounts.revoke(token)
            throw BookmarksFault.invalidToken
        }
        return user
    }

    private func directory(_ name: String) throws(BookmarksFault) -> UserDirectory {
        // The domain's file was read with both names in it.
        guard let directory = loaded.directory(name) else { throw .failed }
        return directory
    }
}
