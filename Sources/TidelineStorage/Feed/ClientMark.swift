// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The last decided transaction of a client: it never expires while the client is known.
public struct ClientMark: Hashable, Sendable {
    /// The user that the client is bound to, or `nil` where nobody has signed in on it yet, in an open domain.
    public var user: String?
    /// The number of the last transaction that was decided, accepted or refused; 0 before the first.
    public var transaction: Int64

    public init(user: String?, transaction: Int64) {
        self.user = user
        self.transaction = transaction
    }
}
