// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineAccounts
import TidelineServer
import TidelineService
import TidelineStorage

extension CommandFailure {
    /// A failure with the cause that a part of the server gave; failures pass as they are.
    static func wrap(_ what: String, _ error: any Error, next: String? = nil) -> CommandFailure {
        switch error {
        case let failure as CommandFailure: failure
        case let error as StorageError: CommandFailure(what, why: error.message, next: next ?? advice(error.code))
        case let error as DomainError: CommandFailure(what, why: error.description, next: next)
        case let error as AccountsError: CommandFailure(what, why: error.message, next: next)
        case let error as ServerError: CommandFailure(what, why: error.message, next: next)
        default: CommandFailure(what, why: "\(error)", next: next)
        }
    }

    private static func advice(_ code: StorageError.Code) -> String? {
        switch code {
        case .busy: "Another program holds the database: close it, or try again in a moment."
        case .corrupt: "Check the file: is it a SQLite database?"
        case .full: "Make room on the disk, then run the command again. Nothing was changed."
        default: nil
        }
    }
}
