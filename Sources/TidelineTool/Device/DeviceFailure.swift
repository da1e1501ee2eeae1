// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStore
import TidelineSync

/// Turns what a device's parts throw into the three sentences of a failure, for people who type commands.
///
/// The parts speak to apps too: where they advise to call something, the command that does so is named here.
enum DeviceFailure {
    /// - Parameters:
    ///   - what: what could not be done, a sentence.
    ///   - file: the store that has a service, where the command is about one.
    static func wrap(_ what: String, _ error: any Error, store file: String? = nil) -> any Error {
        switch error {
        case let failure as CommandFailure: failure
        case let error as ClientError where error.code == .busy && error.retryAfter != nil:
            CommandFailure(what, why: error.message, next: again(after: error.retryAfter ?? .zero))
        case is ClientError, is SyncError: told(what, SyncFailure(error), store: file)
        case let error as ModelMismatch:
            CommandFailure(
                what,
                why: "The store and the service do not fit together.\n" + error.differences.joined(separator: "\n"),
                next: "Nothing was changed. Make the two models agree, or make a domain from the store's model: "
                    + "tideline help create"
            )
        case let error as LocalStoreError where error.code == .migrationNeeded:
            CommandFailure(
                what,
                why: "The two have different models.",
                next: "Nothing was changed. Use the app that they are of: it knows how one becomes the other."
            )
        case let error as LocalStoreError: CommandFailure(what, why: error.message, next: advice(error.code))
        case let error as ODataError: CommandFailure(what, why: error.message)
        case let error as ExpressionError: CommandFailure(what, why: error.message)
        case is CancellationError: CommandFailure(what, why: "It was cancelled. Nothing is lost.")
        default: error
        }
    }

    /// Runs `body`; what it throws is told as a failure to do `what`.
    static func during<Result>(
        _ what: String,
        store file: String? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch { throw wrap(what, error, store: file) }
    }

    /// The same before there is a store: nothing was changed that could be kept.
    static func beforeStore<Result>(_ what: String, _ body: () async throws -> Result) async throws -> Result {
        try await during(what) {
            do {
                return try await body()
            } catch let error as ClientError where error.advice.hasSuffix(ClientError.keepsChanges) {
                var plain = error
                plain.advice = String(error.advice.dropLast(ClientError.keepsChanges.count)) + "."
                throw plain
            }
        }
    }

    /// What made a sync fail, or another exchange with the service.
    static func told(_ what: String, _ failure: SyncFailure, store file: String?) -> CommandFailure {
        CommandFailure(what, why: failure.message, next: next(failure, store: file))
    }

    /// What to do next about it, or `nil` where nothing can be done.
    ///
    /// - Parameter file: the store that has a service, where the command is about one.
    static func next(_ failure: SyncFailure, store file: String?) -> String? {
        let advice = failure.advice.isEmpty ? nil : failure.advice
        guard let path = file else {
            let asksWho = failure.code == ClientError.Code.signInRequired.rawValue
            return asksWho ? "Sign in: run the command again with --user NAME." : advice
        }
        let file = ShellWord.quoted(path)
        switch failure.code {
        case ClientError.Code.signInRequired.rawValue:
            return "Sign in: tideline sign-in \(file) --user \(ShellWord.quoted(user(of: path) ?? "NAME"))"
        case ClientError.Code.unreachable.rawValue, ClientError.Code.redirected.rawValue,
            ClientError.Code.notFound.rawValue, ClientError.Code.notOData.rawValue:
            let move = "Where the service has another address now: tideline move \(file) URL"
            return advice.map { "\($0)\n\(move)" } ?? move
        case SyncError.Code.otherService.rawValue:
            return "Where the store was moved meanwhile, its new address is asked: tideline sync \(file)"
        case LocalStoreError.Code.closed.rawValue, LocalStoreError.Code.modelChanged.rawValue:
            return "Run the command again."
        case LocalStoreError.Code.foreignFile.rawValue: return "Run the command again, with the file where it is now."
        case LocalStoreError.Code.newerFormat.rawValue, LocalStoreError.Code.newerVersion.rawValue:
            return "Use a newer tideline."
        default: return advice
        }
    }

    /// When to try again; only where it is told at once, for the wait begins with the answer.
    private static func again(after wait: Duration) -> String {
        "Try again in \(ProgressLine.time(Double(max(1, wait.components.seconds))))."
    }

    /// The name of the user that a store belongs to, where it has one and can be read.
    private static func user(of path: String) -> String? {
        guard let store = try? DeviceStore(path).store else { return nil }
        defer { try? store.close() }
        return try? store.identity().origin?.userName
    }

    private static func advice(_ code: LocalStoreError.Code) -> String? {
        switch code {
        case .exists: "Name another file."
        case .notFound: "Check the path, or make the store first: tideline help clone"
        case .foreignFile: "Name a file that tideline clone made."
        case .corrupt: "Clone the data again into another file, and keep this one."
        case .damagedBriefcase: "Export it once more, to another place."
        case .newerFormat: "Use a newer tideline."
        case .closed, .modelChanged: "Run the command again."
        case .busy: "Another program writes to the file: try again in a moment."
        case .io:
            "Where you may not write the file or its folder: make both writable (chmod u+w), "
                + "or copy the file to another place."
        case .full: "Make room on the disk, then run the command again."
        default: nil
        }
    }
}
