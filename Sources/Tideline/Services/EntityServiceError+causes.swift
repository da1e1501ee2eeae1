// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStore
import TidelineSync

extension EntityServiceError {
    /// Runs the work of a call and tells its errors as those of a service.
    static func telling<Result>(
        of set: String,
        _ body: () async throws -> Result
    ) async throws(EntityServiceError) -> Result {
        do {
            try Task.checkCancellation()
            return try await body()
        } catch {
            throw EntityServiceError(error, set: set)
        }
    }

    /// The error of a service that another one stands for.
    init(_ error: any Error, set: String) {
        switch error {
        case let error as EntityServiceError: self = error
        case is CancellationError: self.init(.cancelled, set: set, message: "The call was cancelled.", cause: error)
        case let error as LocalStoreError: self.init(error, set)
        case let error as StorageError: self.init(error, set)
        case let error as ClientError: self.init(error, set)
        case let error as SyncError:
            self.init(error.code == .unknownSet ? .unfit : .unavailable, set: set, message: error.message, cause: error)
        default: self.init(.refused, set: set, message: "\(error)", cause: error)
        }
    }

    private init(_ error: LocalStoreError, _ set: String) {
        let code: Code =
            switch error.code {
            case .duplicateKey: .duplicateKey
            case .duplicateValue: .duplicateValue
            case .invalidValue, .nullValue, .invalidKey, .brokenRule: .invalid
            case .missingReference, .stillReferenced: .brokenReference
            case .readOnly: .readOnly
            case .noSuchEntry: .notFound
            case .busy, .closed, .suspended: .unavailable
            case .full, .io, .corrupt, .newerFormat, .foreignFile, .notFound, .exists: .storage
            case .unknownSet, .unknownProperty: .unfit
            default: .refused
            }
        self.init(code, set: set, properties: error.properties, message: error.message, cause: error)
    }

    private init(_ error: StorageError, _ set: String) {
        let code: Code =
            switch error.code {
            case .duplicateKey: .duplicateKey
            case .duplicateValue: .duplicateValue
            case .missingReference: .brokenReference
            case .constraint, .invalidValue, .nullValue, .unsupportedValue: .invalid
            case .busy, .unavailable, .timeout: .unavailable
            case .full, .io, .corrupt: .storage
            default: .refused
            }
        self.init(code, set: set, properties: error.properties, message: error.message, cause: error)
    }

    private init(_ error: ClientError, _ set: String) {
        let said = error.service.flatMap { Self.said[$0.code] }
        let code: Code =
            switch error.code {
            case .notFound: .notFound
            case .preconditionFailed: .conflict
            case .redirected: .untrustedHost
            case .forbidden, .signInRequired, .wrongCredentials, .insecure: .notAllowed
            case .unreachable, .timedOut, .interrupted, .busy, .serverFailure, .notOData, .unreadableAnswer,
                .invalidAddress:
                .unavailable
            default: .refused
            }
        let target = error.service?.target.map { [$0] } ?? []
        let message = error.service?.message ?? error.message
        self.init(said ?? code, set: set, properties: target, message: message, cause: error)
    }

    /// What the codes of a Tideline service mean.
    private static let said: [String: Code] = [
        "DuplicateKey": .duplicateKey, "DuplicateValue": .duplicateValue, "MissingReference": .brokenReference,
        "ConstraintFailed": .invalid, "InvalidValue": .invalid, "RequiredValue": .invalid, "InvalidKey": .invalid,
        "UnknownProperty": .unfit, "MethodNotAllowed": .readOnly, "PolicyViolation": .notAllowed,
    ]
}
