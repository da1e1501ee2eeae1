// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStorage

extension Accounts {
    /// Signs a user of a domain's own tables in: password in, tokens out.
    ///
    /// An unknown name, a wrong password and an inactive user give the same answer after the same work; failures are
    /// counted for the user whatever spelling of the name finds it.
    ///
    /// - Parameter device: a name for the device, shown to administrators.
    /// - Throws: ``AccountsError`` with `invalidCredentials` or `locked`; errors of the stores.
    public func signIn(
        _ name: String,
        password: String,
        directory: UserDirectory,
        device: String? = nil
    ) throws -> TokenPair {
        try admitted(name, password: password, directory: directory) { user, now, writer in
            try begin(user, key: Self.key(of: user), device: device, now: now, writer)
        }
    }

    /// Whom a name and a password belong to; no token is made, and nothing is remembered.
    ///
    /// Refused, counted and locked as a sign-in is.
    ///
    /// - Throws: ``AccountsError`` with `invalidCredentials` or `locked`; errors of the stores.
    public func identify(_ name: String, password: String, directory: UserDirectory) throws -> User {
        try admitted(name, password: password, directory: directory) { user, _, _ in user }
    }

    /// The same for a request that carries name and password itself: one that was right is known for five seconds.
    ///
    /// - Throws: ``AccountsError`` with `invalidCredentials` or `locked`; errors of the stores.
    public func authenticate(_ name: String, password: String, directory: UserDirectory) throws -> User {
        let domain = directory.domain
        let mark = SecretToken.storedHash(of: "\(cacheSecret)\n\(domain)\n\(directory.name)\n\n\(name)\n\(password)")
        if let user = cache.user(token: mark, now: environment.now()), user.domain == domain { return user }
        let user = try identify(name, password: password, directory: directory)
        cache.keep(user, token: mark, now: environment.now(), expires: .max)
        return user
    }

    /// Gives a user another password, ends lock-out and signs every device of the user out.
    ///
    /// - Throws: ``AccountsError`` with `unknownUser` or `unacceptablePassword`.
    public func setPassword(_ password: String, id: Value, directory: UserDirectory) throws {
        try checkPassword(password)
        let hash = try PasswordHash(password: password, salt: environment.random(16), cost: cost)
        guard try directory.store(hash, id: id) else {
            throw AccountsError(.unknownUser, "\(directory.domain) has no such user in \(directory.name).")
        }
        try begin(anew: id, directory)
    }

    /// Adds a user whose row and password are written in one transaction, so that none is there without the other.
    ///
    /// - Parameters:
    ///   - name: the name that the directory finds the user by.
    ///   - insert: inserts the row, and does in the same transaction what it is given; that throws ``AccountsError`` with
    ///     `unknownUser` where there is no such row, or one that has a password.
    /// - Throws: ``AccountsError`` with `unacceptablePassword`; what `insert` throws.
    public func addUser(
        named name: String,
        password: String,
        directory: UserDirectory,
        insert: (_ alongside: @escaping @Sendable (any StoreWriter) throws -> Void) throws -> Void
    ) throws {
        try checkPassword(password)
        let hash = try PasswordHash(password: password, salt: environment.random(16), cost: cost)
        let unknown = AccountsError(.unknownUser, "\(directory.domain) has no such user in \(directory.name).")
        try insert { writer in
            guard try directory.store(hash, ofNewUser: name, writer) else { throw unknown }
        }
        guard let user = try directory.user(named: name) else { throw unknown }
        // A database that went back to a backup gives identifiers again.
        try begin(anew: user.id, directory)
    }

    /// Ends the lock-out of a user, and every sign-in under that identifier.
    private func begin(anew id: Value, _ directory: UserDirectory) throws {
        let key = DirectoryKey(directory: directory.name, id: id).text
        try store.write { writer in
            try revokeFamilies(of: key, domain: directory.domain, writer)
            _ = try writer.delete(LockOutRecord.key(key, directory.domain), in: ControlModel.failures)
        }
        cache.removeAll()
    }

    /// Signs every device of a user out.
    public func signOut(id: Value, directory: UserDirectory) throws {
        let key = DirectoryKey(directory: directory.name, id: id).text
        try store.write { try revokeFamilies(of: key, domain: directory.domain, $0) }
        cache.removeAll()
    }

    /// The text that a column of password hashes holds for a password.
    ///
    /// - Throws: ``AccountsError`` with `unacceptablePassword`.
    public func hashText(of password: String) throws -> String {
        try checkPassword(password)
        return try PasswordHash(password: password, salt: environment.random(16), cost: cost).text
    }

    /// Does something for a user whose password is right, in the transaction that decides it.
    private func admitted<Result>(
        _ name: String,
        password: String,
        directory: UserDirectory,
        _ body: (User, _ now: Int64, any StoreWriter) throws -> Result
    ) throws -> Result {
        let isShort = name.utf8.count <= UserDirectory.mostNameBytes && password.utf8.count <= 1024
        guard isShort, !name.utf8.contains(0) else { throw Self.invalidCredentials }
        let domain = directory.domain
        let entry = try directory.entry(named: name)
        let key = entry.map { Self.key(of: $0.user) } ?? DirectoryKey.unknown(name, in: directory.name)
        try store.read { try LockOutRecord.check(key, domain, now: environment.now(), $0) }
        let stored = entry?.hash
        let isRight = try (stored ?? decoy).matches(password) && stored != nil
        if isRight, let stored, stored.cost != cost, let user = entry?.user, !user.isDisabled {
            let renewed = try PasswordHash(password: password, salt: environment.random(16), cost: cost)
            _ = try directory.store(renewed, id: user.id, inPlaceOf: stored)
        }
        let now = environment.now()
        let result: Result? = try store.write { writer in
            // Looked at again: what was guessed while others failed tells nothing either.
            try LockOutRecord.check(key, domain, now: now, writer)
            guard isRight, let user = entry?.user, !user.isDisabled else {
                try LockOutRecord.count(key, domain, now: now, writer)
                return nil
            }
            _ = try writer.delete(LockOutRecord.key(key, domain), in: ControlModel.failures)
            return try body(user, now, writer)
        }
        guard let result else { throw Self.invalidCredentials }
        return result
    }

    /// The key of a user's records.
    static func key(of user: User) -> String {
        guard let directory = user.directory else { return UserName.folded(user.name) }
        return DirectoryKey(directory: directory, id: user.id).text
    }
}
