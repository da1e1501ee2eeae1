// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Accounts {
    /// The most tokens of one account that live at a time: for one more the oldest goes.
    public static let accountTokenLimit = 200

    /// Gives an account that has just signed in a token of 32 lower-case hexadecimal digits.
    ///
    /// - Parameters:
    ///   - account: a user of a directory.
    ///   - name: the name that the account signed in with.
    ///   - lifeInSeconds: how long it opens anything.
    public func makeAccountToken(
        _ account: User,
        name: String,
        lifeInSeconds: Int64
    ) throws -> String {
        let text = Hexadecimal.text(environment.random(16))
        let now = environment.now()
        let set = ControlModel.accountTokens
        let key = Self.key(of: account)
        try store.write { writer in
            let mine = set.equals(1, account.domain) && set.equals(2, key)
            let records = try writer.records(of: set, where: mine).sorted {
                ($0.number(5), $0.text(0)) < ($1.number(5), $1.text(0))
            }
            let dead = records.filter { $0.number(6) <= now }
            let live = records.filter { $0.number(6) > now }
            for record in dead + live.dropLast(Self.accountTokenLimit - 1) {
                _ = try writer.delete(Key([record.values[0]]), in: set)
            }
            try writer.insertRecord(
                [
                    .string(SecretToken.storedHash(of: text)), .string(account.domain), .string(key),
                    .string(name), .string(""), .integer(now), .integer(now + lifeInSeconds),
                ],
                into: set
            )
        }
        return text
    }

    /// What a token belongs to; `nil` for one that is unknown, expired or revoked.
    public func accountToken(_ text: String, domain: String) throws -> AccountToken? {
        guard Self.isAccountToken(text) else { return nil }
        let now = environment.now()
        return try store.read { reader in
            try reader.record([SecretToken.storedHash(of: text)], in: ControlModel.accountTokens)
                .map { AccountToken($0) }
        }.flatMap { $0.domain == domain && $0.expires > now ? $0 : nil }
    }

    /// Makes a token that of a user, if it is nobody's or already that user's.
    ///
    /// - Returns: false where it is another user's, or is gone.
    public func bind(_ token: AccountToken, to user: User) throws -> Bool {
        let set = ControlModel.accountTokens
        let key = Self.key(of: user)
        return try store.write { writer in
            // Looked at again: two users may come with one token at once.
            guard let record = try writer.record([token.hash], in: set) else { return false }
            let bound = record.text(4)
            guard bound.isEmpty else { return bound == key }
            return try writer.update(Key([record.values[0]]), [4: .string(key)], in: set)
        }
    }

    /// Takes a token back.
    public func revoke(_ token: AccountToken) throws {
        _ = try store.write { try $0.delete(Key([.string(token.hash)]), in: ControlModel.accountTokens) }
    }

    /// Takes every token back that is an account's or a user's.
    ///
    /// - Parameter key: that of a directory's user.
    func revokeAccountTokens(of key: String, domain: String, _ writer: some StoreWriter) throws {
        let set = ControlModel.accountTokens
        for place in [2, 4] {
            for record in try writer.records(of: set, where: set.equals(1, domain) && set.equals(place, key)) {
                _ = try writer.delete(Key([record.values[0]]), in: set)
            }
        }
    }

    /// Whether a text can be such a token: nothing else is looked for.
    static func isAccountToken(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
