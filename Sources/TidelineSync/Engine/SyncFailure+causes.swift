// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineClient
import TidelineOData
public import TidelineStore

extension SyncFailure {
    /// What an error of a sync means for a person.
    public init(_ error: any Error) {
        switch error {
        case let error as ClientError:
            self.init(Self.kind(error.code), code: error.code.rawValue, message: error.message, advice: error.advice)
        case let error as SyncError:
            self.init(Self.kind(error.code), code: error.code.rawValue, message: error.message, advice: error.advice)
        case let error as LocalStoreError:
            self.init(
                Self.kind(error.code),
                code: error.code.rawValue,
                message: error.message,
                advice: Self.advice(error.code)
            )
        default:
            self.init(
                .passing,
                code: "unknown",
                message: "The sync failed: \(Self.text(error))",
                advice: "Sync again; report it if it stays."
            )
        }
    }

    /// Whether the same may be tried again with nobody's doing, be it rarely.
    ///
    /// Not where each attempt would ask a person for a password, or where no attempt of this engine can succeed.
    package var isRetried: Bool { !Self.final.contains(code) }

    private static let final: Set<String> = [
        ClientError.Code.signInRequired.rawValue, ClientError.Code.wrongCredentials.rawValue,
        ClientError.Code.insecure.rawValue, ClientError.Code.invalidAddress.rawValue,
        SyncError.Code.otherUser.rawValue, SyncError.Code.otherService.rawValue, SyncError.Code.noService.rawValue,
        LocalStoreError.Code.closed.rawValue, LocalStoreError.Code.modelChanged.rawValue,
        LocalStoreError.Code.corrupt.rawValue, LocalStoreError.Code.foreignFile.rawValue,
        LocalStoreError.Code.newerFormat.rawValue,
    ]

    /// What another error says, as the end of a sentence: the text that its type gives, else what its type is called.
    ///
    /// Never its members as Swift shows them: they say nothing to a person, and may hold what is not to be seen.
    private static func text(_ error: any Error) -> String {
        let text =
            switch error {
            case let error as ODataError: error.message
            // Their descriptions are their members.
            case is CocoaError, is POSIXError: error.localizedDescription
            case let error as any LocalizedError: error.errorDescription ?? kindName(error)
            case let error as any CustomStringConvertible: error.description
            default: kindName(error)
            }
        return text.hasSuffix(".") ? text : text + "."
    }

    private static func kindName(_ error: any Error) -> String {
        "an error of the type \(String(reflecting: type(of: error)))"
    }

    private static func kind(_ code: ClientError.Code) -> Kind {
        switch code {
        case .unreachable, .timedOut, .interrupted, .notOData: .offline
        case .unreadableAnswer, .gone, .preconditionFailed, .busy, .serverFailure: .passing
        case .invalidAddress, .redirected, .signInRequired, .wrongCredentials, .insecure, .forbidden, .notFound,
            .tooLarge, .refused, .file:
            .needsPerson
        @unknown default: .passing
        }
    }

    private static func kind(_ code: SyncError.Code) -> Kind {
        switch code {
        case .keepsChanging, .keepsExpiring, .unexpectedAnswer: .passing
        case .noService, .unknownSet, .setChanged, .otherUser, .otherService, .olderProtocol, .quarantined: .needsPerson
        @unknown default: .passing
        }
    }

    private static func kind(_ code: LocalStoreError.Code) -> Kind {
        switch code {
        case .busy, .suspended: .passing
        default: .needsPerson
        }
    }

    private static func advice(_ code: LocalStoreError.Code) -> String {
        switch code {
        case .busy: "Another program writes to the file; it is tried again."
        case .full: "Make room on the disk, then sync again."
        case .suspended: "It goes on when the store is resumed."
        case .closed, .modelChanged: "Open the store again."
        case .foreignFile: "Open the store again, at the place where its file is."
        case .io: "See whether the file and its folder can be read and written."
        case .corrupt: "Clone the data again into another file, and keep this one."
        case .newerFormat, .newerVersion: "Install the newer release of the app."
        default: ""
        }
    }
}
