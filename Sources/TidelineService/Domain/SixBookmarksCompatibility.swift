// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a domain says to clients of the service of 2010 that is called Six Bookmarks.
///
///     compatibility:
///       sixbookmarks: {set: Bookmarks, owner: UserId, accounts: accounts, users: users}
public struct SixBookmarksCompatibility: Hashable, Sendable {
    /// Who may come through the door.
    public enum Reach: String, Hashable, Sendable, CaseIterable {
        /// Clients on the machine of the server.
        case loopback
        /// Other machines too, over TLS alone.
        case everywhere
    }

    /// What becomes of a property that the set does not have.
    public enum UnknownProperties: String, Hashable, Sendable, CaseIterable {
        case refused
        case ignored
    }

    /// What a failed logon of a user tells.
    public enum Failures: String, Hashable, Sendable, CaseIterable {
        /// That the password is not valid, whatever the reason is: names cannot be guessed.
        case uniform
        /// Whether it is the name, the password, or that the user is not active, as the service of 2010 did.
        case distinct
    }

    /// The name on the wire of the set that is `Bookmark` there.
    public var set: String
    /// The property of the set that is the user's key: the service sets it, whatever a client sends.
    public var owner: String
    /// The directory of `signIn` whose users are the API accounts.
    public var accounts: String
    /// The directory of `signIn` whose users, called `account/user`, are the users of the accounts.
    public var users: String
    /// Refused, unless the domain says otherwise.
    public var unknownProperties = UnknownProperties.refused
    /// Uniform, unless the domain says otherwise.
    public var failures = Failures.uniform
    /// This machine alone, unless the domain says otherwise.
    public var reach = Reach.loopback
    /// How long a token opens the service.
    public var tokenMinutes = 720

    public init(set: String, owner: String, accounts: String, users: String) {
        self.set = set
        self.owner = owner
        self.accounts = accounts
        self.users = users
    }
}
