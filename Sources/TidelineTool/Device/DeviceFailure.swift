// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore
import TidelineSync

/// Turns what a device's parts throw into the three sentences of a failure.
enum DeviceFailure {
    /// - Parameter what: what could not be done, a sentence.
    static func wrap(_ what: String, _ error: any Error) -> any Error {
        switch error {
        case let failure as CommandFailure: failure
        case let error as ClientError where error.code == .signInRequired:
            CommandFailure(
                what,
                why: error.message,
                next: "Sign in: tideline sign-in FILE --user NAME, or clone with --user NAME"
            )
        case let error as ClientError: CommandFailure(what, why: error.message, next: error.advice)
        case let error as ModelMismatch:
            CommandFailure(
                what,
                why: "The store and the service do not fit together.\n" + error.differences.joined(separator: "\n"),
                next: "Nothing was changed. Make the two models agree, or make a domain from the store's model: "
                    + "tideline help create"
            )
        case let error as SyncError: CommandFailure(what, why: error.message, next: error.advice)
        case let error as LocalStoreError: CommandFailure(what, why: error.message, next: advice(error.code))
        case let error as ODataError: CommandFailure(what, why: error.message)
        case let error as ExpressionError: CommandFailure(what, why: error.message)
        case is CancellationError: CommandFailure(what, why: "It was cancelled. Nothing is lost.")
        default: error
        }
    }

    /// Runs `body`; what it throws is told as a failure to do `what`.
    static func during<Result>(_ what: String, _ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw wrap(what, error) }
    }

    private static func advice(_ code: LocalStoreError.Code) -> String? {
        switch code {
        case .exists: "Name another file."
        case .notFound: "Check the path, or make the store first: tideline help clone"
        case .foreignFile: "Name a file that tideline clone made."
        case .corrupt: "Clone the data again into another file, and keep this one."
        case .newerFormat: "Use a newer tideline."
        case .busy: "Another program writes to the file: try again in a moment."
        case .full: "Make room on the disk, then run the command again."
        default: nil
        }
    }
}
