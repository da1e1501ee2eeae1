// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStore

/// Whose rows the store has, and who is signed in.
extension SyncRun {
    /// Makes sure that a sync is of the user that the store belongs to; a store of nobody's becomes the user's.
    ///
    /// - Parameter beforeSending: whether changes go out next, so that nobody may be signed in only by that request.
    /// - Returns: who the store was when it was looked at.
    @discardableResult
    func checkUser(beforeSending: Bool = false) async throws -> StoreIdentity {
        var identity = try await look()
        guard let origin = identity.origin else { return identity }
        // A token that is renewed only by what is sent might be of somebody else: of a user whose name was changed.
        if beforeSending { try await client.session.prepare() }
        var user = try await client.session.userName()
        if user == nil, beforeSending, origin.userName != nil {
            // A request that changes nothing leads to the sign-in, where the service asks for one.
            _ = try await client.metadata()
            user = try await client.session.userName()
            identity = try await look()
        }
        guard let user else { return identity }
        try Self.checkUser(user, of: origin)
        guard origin.userName == nil else { return identity }
        let owner = try await store.perform { try $0.takeUser(user) }
        try Self.checkUser(user, of: StoreOrigin(serviceURL: origin.serviceURL, userName: owner))
        return identity
    }

    /// Refuses a user who is not the one that a store belongs to.
    static func checkUser(_ user: String?, of origin: StoreOrigin) throws {
        guard let user, let owner = origin.userName, user != owner else { return }
        throw SyncError(
            .otherUser,
            "The store belongs to \(owner), and \(user) is signed in; nothing more is sent or applied.",
            advice: "Sign in as \(owner), or keep the data of \(user) in a store of its own."
        )
    }
}
