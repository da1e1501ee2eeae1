// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Accounts {
    /// Signs a user in: password in, tokens out.
    ///
    /// An unknown name, a wrong password and a disabled user give the same answer after the same work.
    ///
    /// - Parameter device: a name for the device, shown to administrators.
    /// - Throws: ``AccountsError`` with `invalidCredentials` or `locked`; errors of the store.
    public func signIn(_ name: String, password: String, domain: String, device: String? = nil) throws -> TokenPair {
        try admitted(name, password: password, domain: domain) { user, now, writer in
            try begin(user, key: UserName.folded(name), device: device, now: now, writer)
        }
    }

    /// Begins a family of tokens for a user who has just signed in.
    ///
    /// - Parameter key: the folded name, or that of a directory's user.
    func begin(
        _ user: User,
        key: String,
        device: String?,
        now: Int64,
        _ writer: any StoreWriter
    ) throws -> TokenPair {
        let family = SecretToken(random: environment.random).text
        try writer.insertRecord(
            [
                .string(family), .string(user.domain), .string(key),
                .string(String((device ?? "").prefix(200))), .integer(now),
                .integer(now + lifetimes.refreshInSeconds), .boolean(false),
            ],
            into: ControlModel.families
        )
        return try issue(family: family, user: user, now: now, writer).pair
    }

    /// Exchanges a refresh token for a new pair; the old token is used up.
    ///
    /// A second use within a minute counts as a repeated request whose answer was lost: it gets a new pair, and the
    /// pair that was lost is used up as well. Any later second use revokes the whole family, since one of the two
    /// who hold the token is a thief.
    ///
    /// - Parameter directories: the users of the domain's own tables, who are looked for again.
    /// - Throws: ``AccountsError`` with `invalidToken`; errors of the stores.
    public func refresh(
        _ refreshToken: String,
        domain: String,
        directories: [UserDirectory] = []
    ) throws -> TokenPair {
        let hash = SecretToken.storedHash(of: refreshToken)
        // Found before the transaction, which no other database keeps waiting.
        let listed = try store.read { reader in
            try reader.record([hash], in: ControlModel.refreshTokens)
                .flatMap { try reader.record([$0.text(1)], in: ControlModel.families)?.text(2) }
        }.flatMap { try user(listed: $0, in: directories) }
        let now = environment.now()
        let pair: TokenPair? = try store.write { writer in
            guard let token = try writer.record([hash], in: ControlModel.refreshTokens), token.number(2) > now,
                let family = try writer.record([token.text(1)], in: ControlModel.families),
                family.text(1) == domain, !family.flag(6), family.number(5) > now,
                let user = try directories.isEmpty
                    ? writer.record([domain, family.text(2)], in: ControlModel.users).map(UserRecord.user) : listed,
                !user.isDisabled
            else { return nil }
            let familyKey = Key([family.values[0]])
            let usedAt = token.number(3)
            if usedAt != 0 {
                let successor = try writer.record([token.text(4)], in: ControlModel.refreshTokens)
                let isRepeated = now - usedAt <= lifetimes.graceInSeconds && successor?.number(3) == 0
                guard isRepeated else {
                    _ = try writer.update(familyKey, [6: .boolean(true)], in: ControlModel.families)
                    return nil
                }
            }
            let issued = try issue(family: family.text(0), user: user, now: now, writer)
            if usedAt != 0 {
                let lost = Key([.string(token.text(4))])
                let used: [Int: Value] = [3: .integer(now), 4: .string(issued.refreshHash)]
                _ = try writer.update(lost, used, in: ControlModel.refreshTokens)
            }
            let used: [Int: Value] = [
                3: .integer(usedAt == 0 ? now : usedAt), 4: .string(issued.refreshHash),
            ]
            _ = try writer.update(Key([.string(hash)]), used, in: ControlModel.refreshTokens)
            let expires = now + lifetimes.refreshInSeconds
            _ = try writer.update(familyKey, [5: .integer(expires)], in: ControlModel.families)
            return issued.pair
        }
        guard let pair else {
            cache.removeAll()
            throw AccountsError(.invalidToken, "The refresh token is unknown, expired or revoked. Sign in again.")
        }
        return pair
    }

    /// Signs a device out: the family of the refresh token opens nothing any more.
    ///
    /// An unknown token is no error.
    public func revoke(_ refreshToken: String, domain: String) throws {
        let hash = SecretToken.storedHash(of: refreshToken)
        try store.write { writer in
            guard let token = try writer.record([hash], in: ControlModel.refreshTokens),
                let family = try writer.record([token.text(1)], in: ControlModel.families), family.text(1) == domain
            else { return }
            _ = try writer.update(Key([family.values[0]]), [6: .boolean(true)], in: ControlModel.families)
        }
        cache.removeAll()
    }

    /// Whom an access token belongs to.
    ///
    /// A token that another process revoked may pass for five seconds more.
    ///
    /// - Parameter directories: the users of the domain's own tables, who are looked for again.
    /// - Throws: ``AccountsError`` with `invalidToken`; errors of the stores.
    public func authenticate(
        _ accessToken: String,
        domain: String,
        directories: [UserDirectory] = []
    ) throws -> User {
        let hash = SecretToken.storedHash(of: accessToken)
        let now = environment.now()
        if let user = cache.user(token: hash, now: now), user.domain == domain { return user }
        let found: (key: String, user: User?, expires: Int64)? = try store.read { reader in
            guard let token = try reader.record([hash], in: ControlModel.accessTokens), token.number(2) > now,
                let family = try reader.record([token.text(1)], in: ControlModel.families),
                family.text(1) == domain, !family.flag(6)
            else { return nil }
            let user = try reader.record([domain, family.text(2)], in: ControlModel.users).map(UserRecord.user)
            return (family.text(2), user, token.number(2))
        }
        guard let found,
            let user = try directories.isEmpty ? found.user : user(listed: found.key, in: directories),
            !user.isDisabled
        else { throw AccountsError(.invalidToken, "The access token is unknown, expired or revoked.") }
        cache.keep(user, token: hash, now: now, expires: found.expires)
        return user
    }

    /// The user of a directory whom the records of the server know by a key, as the domain's own tables have the user.
    private func user(listed key: String, in directories: [UserDirectory]) throws -> User? {
        guard let key = DirectoryKey(text: key) else { return nil }
        return try directories.first { $0.name == key.directory }?.user(id: key.id)
    }

    /// Makes a pair and stores its hashes.
    private func issue(
        family: String,
        user: User,
        now: Int64,
        _ writer: any StoreWriter
    ) throws -> (pair: TokenPair, refreshHash: String) {
        let access = SecretToken(random: environment.random)
        let refresh = SecretToken(random: environment.random)
        try writer.insertRecord(
            [.string(access.storedHash), .string(family), .integer(now + lifetimes.accessInSeconds)],
            into: ControlModel.accessTokens
        )
        try writer.insertRecord(
            [
                .string(refresh.storedHash), .string(family), .integer(now + lifetimes.refreshInSeconds),
                .integer(0), .string(""),
            ],
            into: ControlModel.refreshTokens
        )
        let pair = TokenPair(
            accessToken: access.text,
            expiresIn: .seconds(lifetimes.accessInSeconds),
            refreshToken: refresh.text,
            user: user
        )
        return (pair, refresh.storedHash)
    }
}
