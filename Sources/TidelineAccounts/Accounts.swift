// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineStorage

/// The users of all domains of a server: who they are, how they sign in, what their tokens open.
///
/// Everything lies in a store of ``ControlModel``, so several processes share it; nothing is decided from memory but
/// for the few seconds of ``authenticate(_:domain:)``. All methods block; those that take a password are slow by intent
/// (scrypt) and belong on bounded threads.
public final class Accounts: Sendable {
    let store: any Store
    let environment: AccountsEnvironment
    let cost: PasswordCost
    let lifetimes: TokenLifetimes
    let cache = AuthenticationCache()
    let deviceCache = DeviceCache()
    /// Stands in for the password of a user who does not exist, so that an unknown name costs as much as a known one.
    let decoy: PasswordHash
    /// Goes into what the cache knows passwords by, so that none can be guessed from it.
    let cacheSecret: String

    /// - Parameters:
    ///   - store: a store of ``ControlModel/model``.
    ///   - environment: where time and random bytes come from.
    ///   - cost: the parameters of scrypt for new passwords; stored ones keep theirs until the next sign-in.
    ///   - lifetimes: how long tokens live.
    public init(
        store: any Store,
        environment: AccountsEnvironment = .system,
        cost: PasswordCost = .standard,
        lifetimes: TokenLifetimes = .standard
    ) {
        self.store = store
        self.environment = environment
        self.cost = cost
        self.lifetimes = lifetimes
        decoy = PasswordHash(cost: cost, salt: environment.random(16), hash: environment.random(32))
        cacheSecret = SecretToken(random: environment.random).text
    }

    /// Deletes tokens, families and failures that have no meaning any more; for now and then.
    public func sweep() throws {
        let now = environment.now()
        let batch = 500
        func delete(_ set: EntitySet, where condition: TypedExpression) throws {
            while true {
                let count = try store.write { writer in
                    let records = try writer.records(of: set, where: condition, atMost: batch)
                    for record in records {
                        _ = try writer.delete(Key(set.type.key.map { record.values[$0] }), in: set)
                    }
                    return records.count
                }
                if count < batch { return }
            }
        }
        try delete(ControlModel.accessTokens, where: ControlModel.accessTokens.isBelow(2, now))
        try delete(ControlModel.refreshTokens, where: ControlModel.refreshTokens.isBelow(2, now))
        try delete(ControlModel.accountTokens, where: ControlModel.accountTokens.isBelow(6, now))
        try delete(ControlModel.families, where: ControlModel.families.isBelow(5, now))
        try delete(ControlModel.failures, where: ControlModel.failures.isBelow(3, now - LockOut.memory))
    }
}
