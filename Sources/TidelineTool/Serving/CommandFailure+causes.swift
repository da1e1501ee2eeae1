// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineOData
import TidelineServer
import TidelineService
import TidelineStorage

extension CommandFailure {
    /// A failure with the cause that a part of the server gave; failures pass as they are.
    static func wrap(_ what: String, _ error: any Error, next: String? = nil) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as StorageError: CommandFailure(what, why: error.message, next: next ?? advice(error))
        case let error as DomainError: CommandFailure(what, why: error.description, next: next)
        case let error as ODataError:
            CommandFailure(
                what,
                why: ([error.message] + error.details.map(\.message)).joined(separator: " "),
                next: next
            )
        case let error as AccountsError: CommandFailure(what, why: error.message, next: next)
        case let error as ServerError: CommandFailure(what, why: error.message, next: next)
        case is CancellationError: CommandFailure(what, why: "It was cancelled. Nothing is lost.")
        default: CommandFailure(what, why: SystemReason.text(error), next: next)
        }
    }

    private static func advice(_ error: StorageError) -> String? {
        switch error.code {
        case .busy: "Another program holds the database: close it, or try again in a moment."
        case .corrupt: "Check the file: is it a SQLite database?"
        case .full: "Make room on the disk, then run the command again. Nothing was changed."
        case .io, .unavailable: connectionAdvice(error.message)
        default: nil
        }
    }

    /// What to do when PostgreSQL let nobody in; by libpq's words, which have no codes.
    private static func connectionAdvice(_ message: String) -> String? {
        let causes: [(words: [String], next: String)] = [
            (
                ["password authentication failed", "no password supplied"],
                "Give the password in PGPASSWORD, in ~/.pgpass or in a file named with --password-file."
            ),
            (
                ["Connection refused", "No such file", "could not translate", "timeout", "No route"],
                "Check host and port in the address, and that PostgreSQL runs there: psql ADDRESS"
            ),
            (["does not exist"], "Check user and database in the address: postgres://USER@HOST/NAME"),
            (["no pg_hba.conf entry"], "Let the server's pg_hba.conf admit this user from this machine."),
        ]
        return causes.first { cause in cause.words.contains(where: message.contains) }?.next
    }
}
