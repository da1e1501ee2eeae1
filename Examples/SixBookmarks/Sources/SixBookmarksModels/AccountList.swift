// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Tideline

/// The accounts of this device: who is remembered, whose file is which.
///
/// One small file for its owner alone (mode 0600) lists them; the sign-in of each lies beside it in a file of its own, a
/// token that the service can revoke, never a password.
public struct AccountList: Sendable {
    /// Where everything of the app lies.
    public let folder: String
    private static let name = "accounts"
    private let files: SecretFolder

    /// The accounts in a folder, which is made when it is needed.
    public init(folder: String) {
        self.folder = folder
        files = SecretFolder(path: folder)
    }

    /// All accounts, the one that signed in last at the end.
    public func all() throws -> [Account] {
        guard let data = try files.secret(Self.name) else { return [] }
        guard let accounts = try? JSONDecoder().decode([Account].self, from: Data(data)) else {
            throw ClientError(
                .file,
                "The file \(folder)/\(Self.name) cannot be read.",
                advice: "Move it away and sign in again; changes that were not sent lie in the files beside it."
            )
        }
        return accounts
    }

    /// The account that the next start signs in as, or `nil`.
    public func remembered() throws -> Account? { try all().last(where: \.isRemembered) }

    /// The account of a user at a service, or `nil`.
    public func account(of user: String, at service: String) throws -> Account? {
        try all().first { $0.user == user && $0.service == service }
    }

    /// Keeps an account as the one that signed in last; no other is remembered then.
    public func keep(_ account: Account) throws {
        var accounts = try all().filter { $0.id != account.id }
        if account.isRemembered { for index in accounts.indices { accounts[index].isRemembered = false } }
        try save(accounts + [account])
    }

    /// Forgets an account; its other files stay.
    public func remove(_ account: Account) throws { try save(try all().filter { $0.id != account.id }) }

    /// The file of an account's bookmarks.
    public func path(of account: Account) -> String { "\(folder)/\(account.id).tideline" }

    /// Where the sign-in of an account lies between two runs.
    public func tokens(of account: Account) -> TokenStorage {
        TokenStorage(client: account.id, in: PlatformSecrets.store(userFolder: folder))
    }

    private func save(_ accounts: [Account]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try files.keep([UInt8](encoder.encode(accounts)), as: Self.name)
    }
}
