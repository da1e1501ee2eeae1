// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Accounts {
    /// Whom a name and a password belong to, for a request that carries them itself; no token is made.
    ///
    /// Refused, counted and locked as a sign-in is. A password that was right is known for five seconds, so that a
    /// client which sends it with each request is not kept waiting for each.
    ///
    /// - Throws: ``AccountsError`` with `invalidCredentials` or `locked`; errors of the store.
    public func authenticate(_ name: String, password: String, domain: String) throws -> User {
        let mark = SecretToken.storedHash(
            of: "\(cacheSecret)\n\(domain)\n\(UserName.folded(name))\n\(password)"
        )
        if let user = cache.user(token: mark, now: environment.now()), user.domain == domain { return user }
        let user = try admitted(name, password: password, domain: domain) { user, _, _ in user }
        cache.keep(user, token: mark, now: environment.now(), expires: .max)
        return user
    }

    /// Does something for a user whose password is right, in the transaction that decides it.
    ///
    /// An unknown name, a wrong password and a disabled user give the same answer after the same work.
    func admitted<Result>(
        _ name: String,
        password: String,
        domain: String,
        _ body: (User, _ now: Int64, any StoreWriter) throws -> Result
    ) throws -> Result {
        guard name.utf8.count <= 200, password.utf8.count <= 1024 else { throw Self.invalidCredentials }
        let record = try store.read { reader in
            try LockOutRecord.check(name, domain, now: environment.now(), reader)
            return try reader.record([domain, UserName.folded(name)], in: ControlModel.users)
        }
        let stored = record.flatMap(UserRecord.hash)
        let isRight = try (stored ?? decoy).matches(password) && stored != nil
        let user = record.map(UserRecord.user)
        let renewed =
            isRight && stored?.cost != cost
            ? try PasswordHash(password: password, salt: environment.random(16), cost: cost) : nil
        let now = environment.now()
        let result: Result? = try store.write { writer in
            // Looked at again: what was guessed while others failed tells nothing either.
            try LockOutRecord.check(name, domain, now: now, writer)
            guard isRight, let user, !user.isDisabled else {
                try LockOutRecord.count(name, domain, now: now, writer)
                return nil
            }
            let key = LockOutRecord.key(name, domain)
            _ = try writer.delete(key, in: ControlModel.failures)
            if let renewed { _ = try writer.update(key, UserRecord.passwordValues(renewed), in: ControlModel.users) }
            return try body(user, now, writer)
        }
        guard let result else { throw Self.invalidCredentials }
        return result
    }

    static var invalidCredentials: AccountsError {
        AccountsError(.invalidCredentials, "The name or the password is wrong.")
    }
}
