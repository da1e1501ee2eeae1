// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An error of users, passwords and tokens.
///
/// The codes of sign-in say no more than a guesser may know: a wrong password, an unknown name and a disabled user are
/// one and the same.
public struct AccountsError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The name and the password do not belong to an active user.
        case invalidCredentials
        /// Too many failures: sign-in waits.
        case locked
        /// The token is unknown, expired or revoked.
        case invalidToken
        /// A domain's own tables have two users of this name or identifier.
        case ambiguousName
        /// A user of this name or identifier exists in the domain.
        case duplicateUser
        /// The domain has no user of this name.
        case unknownUser
        /// The name cannot be a user's name.
        case invalidName
        /// The device was revoked.
        case revokedDevice
        /// The domain knows no such device.
        case unknownDevice
        /// The password is too short or too long.
        case unacceptablePassword
    }

    public var code: Code
    /// What happened, as a sentence; no password or token stands in it.
    public var message: String
    /// For `locked`: how long to wait.
    public var retryAfter: Duration?

    public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}
