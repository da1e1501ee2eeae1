// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts

/// The operations of the services of accounts and of users.
struct BookmarksLogon: Sendable {
    let session: BookmarksSession

    /// Does what the parameters ask for.
    ///
    /// Blocks, for as long as a password takes.
    ///
    /// - Throws: ``BookmarksFault``; errors of the stores.
    func respond(
        _ service: BookmarksAddress.Service,
        _ headers: BookmarksHeaders,
        _ form: BookmarksForm
    ) throws -> AmxResponse {
        guard let account = headers.account else { throw BookmarksFault.missingHeaders }
        switch (service, form["operation"]?.lowercased()) {
        case (.api, "logon"): return try logOn(account, form)
        case (.api, "logoff"):
            try session.accounts.revoke(try session.token(headers))
            return .result("LogoffOk")
        case (.users, "logon"): return try logOn(headers, form)
        default: throw BookmarksFault.unknownOperation
        }
    }

    private func logOn(_ account: String, _ form: BookmarksForm) throws -> AmxResponse {
        guard let password = form["password"] else { throw BookmarksFault.missing("password") }
        guard let token = try session.logOn(account: account, password: password) else {
            let outcome = BookmarksSession.Outcome.invalidPassword
            return .result(outcome.rawValue, message: outcome.message)
        }
        return .result(BookmarksSession.Outcome.ok.rawValue, token: token)
    }

    private func logOn(_ headers: BookmarksHeaders, _ form: BookmarksForm) throws -> AmxResponse {
        guard let name = form["username"] else { throw BookmarksFault.missing("username") }
        guard let password = form["password"] else { throw BookmarksFault.missing("password") }
        let token = try session.token(headers)
        let outcome = try session.logOn(user: name, password: password, with: token)
        return .result(
            outcome.rawValue,
            token: outcome == .ok ? headers.token : nil,
            message: outcome.message
        )
    }
}
