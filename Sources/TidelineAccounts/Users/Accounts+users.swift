// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
import TidelineStorage

extension Accounts {
    /// Adds a user to a domain.
    ///
    /// - Parameters:
    ///   - id: what `@me` stands for, unique in the domain; a random GUID when it is nil, so that nobody inherits the
    ///     rows of an earlier owner by chance.
    /// - Returns: the user as it was stored.
    /// - Throws: ``AccountsError`` with `invalidName`, `unacceptablePassword` or `duplicateUser`; errors of the store.
    @discardableResult
    public func addUser(
        _ name: String,
        password: String,
        domain: String,
        id: Value? = nil,
        roles: [String] = [],
        attributes: [String: [Value]] = [:]
    ) throws -> User {
        try UserName.check(name)
        try checkPassword(password)
        let user = User(
            domain: domain,
            name: name,
            id: id ?? .guid(randomGUID()),
            roles: roles,
            attributes: attributes,
            created: environment.now()
        )
        let hash = try PasswordHash(password: password, salt: environment.random(16), cost: cost)
        do {
            try store.write { writer in
                if try writer.record([domain, UserName.folded(name)], in: ControlModel.users) != nil {
                    throw AccountsError(.duplicateUser, "The domain \(domain) already has a user \(name).")
                }
                try writer.insertRecord(UserRecord.values(user, hash), into: ControlModel.users)
            }
        } catch let error as StorageError where error.code == .duplicateKey || error.code == .duplicateValue {
            throw AccountsError(.duplicateUser, "The domain \(domain) already has a user of this name or identifier.")
        }
        return user
    }

    /// The users of a domain, ordered by name.
    public func users(of domain: String) throws -> [User] {
        try store.read { reader in
            try reader.records(of: ControlModel.users, where: ControlModel.users.equals(0, domain))
                .map(UserRecord.user)
        }
    }

    /// The user of that name, or `nil`.
    public func user(_ name: String, domain: String) throws -> User? {
        try store.read { reader in
            try reader.record([domain, UserName.folded(name)], in: ControlModel.users).map(UserRecord.user)
        }
    }

    /// Gives a user another password, ends lock-out and signs every device of the user out.
    ///
    /// - Throws: ``AccountsError`` with `unknownUser` or `unacceptablePassword`.
    public func setPassword(_ password: String, user name: String, domain: String) throws {
        try checkPassword(password)
        let hash = try PasswordHash(password: password, salt: environment.random(16), cost: cost)
        try change(name, domain: domain, UserRecord.passwordValues(hash), signsOut: true)
        try store.write { writer in
            _ = try writer.delete(LockOutRecord.key(name, domain), in: ControlModel.failures)
        }
    }

    /// Refuses sign-in from now on and signs every device of the user out, or allows it again.
    ///
    /// - Throws: ``AccountsError`` with `unknownUser`.
    public func setDisabled(_ isDisabled: Bool, user name: String, domain: String) throws {
        try change(name, domain: domain, [6: .boolean(isDisabled)], signsOut: isDisabled)
    }

    /// Gives a user other roles or attributes; devices see them with the next access token or within seconds.
    ///
    /// - Parameters:
    ///   - roles: all that the user has from now on; `nil` leaves them as they are.
    ///   - attributes: the values of those that change, no values for one that goes. The others stay.
    /// - Returns: the user as it is stored now.
    /// - Throws: ``AccountsError`` with `unknownUser`.
    @discardableResult
    public func changeUser(
        _ name: String,
        domain: String,
        roles: [String]? = nil,
        attributes: [String: [Value]] = [:]
    ) throws -> User {
        let user = try store.write { writer in
            guard
                var user = try writer.record([domain, UserName.folded(name)], in: ControlModel.users)
                    .map(UserRecord.user)
            else { throw Self.unknown(name, domain) }
            if let roles { user.roles = roles }
            user.attributes.merge(attributes) { $1 }
            user.attributes = user.attributes.filter { !$0.value.isEmpty }
            let values: [Int: Value] = [
                4: .string(UserRecord.pack(user.roles)), 5: .string(PackedValue.pack(user.attributes)),
            ]
            _ = try writer.update(Self.key(name, domain), values, in: ControlModel.users)
            return user
        }
        cache.removeAll()
        return user
    }

    /// Removes a user with all tokens: nobody signs in by that name any more.
    ///
    /// The user's rows stay in the database. Devices that were revoked stay revoked, for whoever signs in there next.
    ///
    /// - Throws: ``AccountsError`` with `unknownUser`.
    public func removeUser(_ name: String, domain: String) throws {
        let folded = UserName.folded(name)
        try store.write { writer in
            guard try writer.delete(Self.key(name, domain), in: ControlModel.users) else {
                throw Self.unknown(name, domain)
            }
            _ = try writer.delete(LockOutRecord.key(name, domain), in: ControlModel.failures)
            let families = ControlModel.families
            for record in try writer.records(
                of: families,
                where: families.equals(1, domain) && families.equals(2, folded)
            ) {
                _ = try writer.delete(Key([record.values[0]]), in: families)
            }
            try revokeAccountTokens(of: folded, domain: domain, writer)
            let devices = ControlModel.devices
            for record in try writer.records(of: devices, where: devices.equals(0, domain))
            where UserName.folded(record.text(2)) == folded && record.number(6) == 0 {
                _ = try writer.delete(Key([record.values[0], record.values[1]]), in: devices)
            }
        }
        cache.removeAll()
        deviceCache.removeAll()
    }

    /// Removes all users of a domain with their tokens: the domain is no longer published.
    public func removeUsers(of domain: String) throws {
        try store.write { writer in
            for set in [ControlModel.users, ControlModel.failures, ControlModel.devices] {
                for record in try writer.records(of: set, where: set.equals(0, domain)) {
                    _ = try writer.delete(Key([record.values[0], record.values[1]]), in: set)
                }
            }
            let families = ControlModel.families
            for record in try writer.records(of: families, where: families.equals(1, domain)) {
                _ = try writer.delete(Key([record.values[0]]), in: families)
            }
        }
        cache.removeAll()
    }

    private func change(_ name: String, domain: String, _ values: [Int: Value], signsOut: Bool) throws {
        try store.write { writer in
            guard try writer.update(Self.key(name, domain), values, in: ControlModel.users) else {
                throw Self.unknown(name, domain)
            }
            if signsOut { try revokeFamilies(of: UserName.folded(name), domain: domain, writer) }
        }
        cache.removeAll()
    }

    private static func key(_ name: String, _ domain: String) -> Key {
        Key([.string(domain), .string(UserName.folded(name))])
    }

    private static func unknown(_ name: String, _ domain: String) -> AccountsError {
        AccountsError(.unknownUser, "The domain \(domain) has no user \(name).")
    }

    /// Revokes every token of a user.
    ///
    /// - Parameter key: the folded name, or that of a directory's user.
    func revokeFamilies(of key: String, domain: String, _ writer: some StoreWriter) throws {
        let families = ControlModel.families
        let mine = families.equals(1, domain) && families.equals(2, key)
        for record in try writer.records(of: families, where: mine) {
            _ = try writer.update(Key([record.values[0]]), [6: .boolean(true)], in: families)
        }
        try revokeAccountTokens(of: key, domain: domain, writer)
    }

    func checkPassword(_ password: String) throws(AccountsError) {
        guard password.utf8.count >= 8 else {
            throw AccountsError(.unacceptablePassword, "A password has at least 8 bytes.")
        }
        guard password.utf8.count <= 1024 else {
            throw AccountsError(.unacceptablePassword, "A password has at most 1024 bytes.")
        }
    }

    /// A GUID of version 4.
    private func randomGUID() -> GUID {
        let bytes = environment.random(16)
        func word(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        return GUID(randomHigh: word(bytes[0..<8]), low: word(bytes[8..<16]))
    }
}
