// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts

/// What a page knows of a request, once it is known who asks.
struct PageRequest: Sendable {
    var loaded: LoadedDomain
    /// The path under which the pages are: `/service/sixbookmarks/`.
    var base: String
    /// The segments of the path after the base, the last of them not empty.
    var path: [String]
    /// Whether a form came in; it is then one of ours.
    var isForm: Bool
    var query: FormFields
    var form: FormFields
    /// What was done just before, which this page tells and no other; empty for nothing.
    var done = ""
    /// The account that is signed in.
    var account: User?
    /// What each form of the page holds.
    var signature: String
    /// Where the request comes from.
    var peer: String
    /// The server as the browser knows it, `https://host:port`, for links in mails.
    var origin: String

    /// The directory of accounts, and that of their users.
    var accounts: UserDirectory { loaded.directories[loaded.directories[0].name == "accounts" ? 0 : 1] }
    var users: UserDirectory { loaded.directories[loaded.directories[0].name == "accounts" ? 1 : 0] }

    /// The rows that the account may see.
    func rows(_ account: User) -> PageRows { PageRows(loaded, account) }
}
