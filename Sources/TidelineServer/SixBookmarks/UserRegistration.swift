// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel

/// A person becomes a user of an account, from an app: `POST /auth/<domain>/register`.
///
/// The row goes through the domain's service in the role `registration`: what its policy lets in comes in, and no user
/// of an account that nobody may join.
struct UserRegistration: Sendable {
    let accounts: Accounts
    /// Of the users that anybody may make.
    let limit: FormLimit

    /// Makes the user and signs in.
    ///
    /// Blocks, for as long as a password takes.
    ///
    /// - Parameter typed: `account/user`, or a bare name for a user of the account whose users sign in with bare names.
    /// - Throws: ``Refusal``; errors of the stores.
    func register(
        _ typed: String,
        password: String,
        device: String?,
        in loaded: LoadedDomain
    ) throws -> TokenPair {
        guard ServiceDoor.hasPages(loaded), let users = loaded.directory("users"),
            let owners = loaded.directory("accounts")
        else { throw Self.closed }
        let parts = typed.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Self.trimmed(parts[parts.count - 1])
        let account = parts.count == 2 ? Self.trimmed(parts[0]) : SixBookmarksSchema.openAccount
        guard !name.isEmpty else { throw Refusal(.badRequest, "InvalidName", "Enter a name.") }
        if let problem = Registration.nameProblem(name) { throw Refusal(.badRequest, "InvalidName", problem) }
        if let problem = Registration.passwordProblem(password) {
            throw Refusal(.badRequest, "InvalidPassword", problem)
        }
        // Whether there is such an account is told to nobody.
        guard let owner = try owners.user(named: account), case .integer(let id) = owner.id else { throw Self.closed }
        let row: [String: RowValue] = ["ApiAccountId": .number(id), "Username": .text(name), "IsActive": .flag(true)]
        let full = "\(owner.name)/\(name)"
        do {
            try accounts.addUser(named: full, password: password, directory: users) { step in
                try PageRows(registeringAt: loaded).insert(row, into: "Users", password: step)
            }
        } catch let error as PageRows.Refused where !error.isFailure {
            throw Self.refusal(error)
        }
        return try accounts.signIn(full, password: password, directory: users, device: device)
    }

    private static func refusal(_ error: PageRows.Refused) -> Refusal {
        // An account that the role may not see is to the service none that a user could refer to.
        if error.code == "MissingReference" { return closed }
        return switch error.status {
        case .conflict: Refusal(.conflict, "NameTaken", "This name is taken. Choose another one.")
        case .forbidden, .notFound, .unauthorized: closed
        default: Refusal(.badRequest, error.code, error.details.first?.message ?? error.message)
        }
    }

    private static let closed = Refusal(
        .forbidden,
        "RegistrationClosed",
        "Nobody can register here. Ask who looks after the service for a name."
    )

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
