// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// What is known of a token that an account was given and that belongs, from then on, to the first user who signs in
/// with it.
///
///     account signs in  →  token  →  user signs in with the token  →  token of that account and user
///
/// For protocols that sign in in two steps. Only the SHA-256 of the token is stored.
public struct AccountToken: Hashable, Sendable {
    /// The name of the domain.
    public var domain: String
    /// The account, as its directory has it.
    public var account: Value
    /// The name that the account signed in with.
    public var accountName: String
    /// The user whose token it is; null before one signed in.
    public var user: Value
    /// When it opens nothing any more, in seconds after 1970-01-01T00:00:00Z.
    public var expires: Int64
    let hash: String

    /// - Parameter record: of ``ControlModel/accountTokens``.
    init(_ record: Record) {
        hash = record.text(0)
        domain = record.text(1)
        account = DirectoryKey(text: record.text(2))?.id ?? .null
        accountName = record.text(3)
        user = DirectoryKey(text: record.text(4))?.id ?? .null
        expires = record.number(6)
    }
}
