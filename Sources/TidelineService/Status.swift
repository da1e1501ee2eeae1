// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import TidelineOData
import TidelineStorage

/// The one table from an error's code to the HTTP status of its answer.
///
/// A code that is not here is an error of ours: status 500.
package enum Status {
    package static func of(_ error: ODataError) -> HTTPResponse.Status { table[error.code] ?? .internalServerError }

    static func isKnown(_ code: String) -> Bool { table[code] != nil }

    /// Whether an answer of that status decides a repeatable request: repeated, it gives the same answer.
    ///
    /// What may go better the next time (a locked database, a full disk, an error of ours) decides nothing, nor does
    /// a request that was not executed for want of rights to ask at all.
    static func isDecision(_ error: ODataError) -> Bool {
        let status = of(error)
        return (status.code < 500 || status == .notImplemented) && status != .unauthorized && status != .tooManyRequests
    }

    private static let table: [String: HTTPResponse.Status] = [
        // What was sent is not understood.
        ODataError.Code.invalidURL.rawValue: .badRequest,
        ODataError.Code.invalidKey.rawValue: .badRequest,
        ODataError.Code.invalidFilter.rawValue: .badRequest,
        ODataError.Code.invalidOrderBy.rawValue: .badRequest,
        ODataError.Code.invalidSelect.rawValue: .badRequest,
        ODataError.Code.invalidExpand.rawValue: .badRequest,
        ODataError.Code.invalidQueryOption.rawValue: .badRequest,
        ODataError.Code.unknownQueryOption.rawValue: .badRequest,
        ODataError.Code.tooComplex.rawValue: .badRequest,
        ODataError.Code.invalidJSON.rawValue: .badRequest,
        ODataError.Code.invalidBody.rawValue: .badRequest,
        ODataError.Code.unknownProperty.rawValue: .badRequest,
        ODataError.Code.invalidValue.rawValue: .badRequest,
        ODataError.Code.invalidBatch.rawValue: .badRequest,
        ODataError.Code.invalidHeader.rawValue: .badRequest,
        ODataError.Code.unsupportedVersion.rawValue: .badRequest,
        ODataError.Code.invalidMetadata.rawValue: .badRequest,
        ODataError.Code.unknownParameter.rawValue: .badRequest,
        ODataError.Code.missingParameter.rawValue: .badRequest,
        ODataError.Code.unsupportedMediaType.rawValue: .unsupportedMediaType,
        ODataError.Code.notAcceptable.rawValue: .notAcceptable,
        ODataError.Code.notSupported.rawValue: .notImplemented,
        ODataError.Code.notFound.rawValue: .notFound,
        ServiceCode.invalidToken: .badRequest,
        ServiceCode.requiredValue: .badRequest,
        ServiceCode.brokenRule: .badRequest,
        ServiceCode.invalidExpression: .badRequest,
        ServiceCode.calculationFailed: .badRequest,
        ServiceCode.invalidRepeatability: .badRequest,
        // Who may do what.
        ServiceCode.signInRequired: .unauthorized,
        ServiceCode.accessDenied: .forbidden,
        ServiceCode.policyViolation: .forbidden,
        ServiceCode.clientOfOtherUser: .forbidden,
        ServiceCode.methodNotAllowed: .methodNotAllowed,
        // What is there already, or is not there.
        ServiceCode.duplicateKey: .conflict,
        ServiceCode.duplicateValue: .conflict,
        ServiceCode.missingReference: .conflict,
        ServiceCode.constraintFailed: .conflict,
        ServiceCode.preconditionFailed: .preconditionFailed,
        ServiceCode.preconditionRequired: .preconditionRequired,
        ServiceCode.failedDependency: .init(code: 424, reasonPhrase: "Failed Dependency"),
        ServiceCode.snapshotUnsupported: .preconditionFailed,
        ServiceCode.repeatabilityMismatch: .badRequest,
        ServiceCode.outsideRepeatabilityWindow: .preconditionFailed,
        ServiceCode.alreadyDecided: .preconditionFailed,
        ServiceCode.tooLarge: .contentTooLarge,
        // A delta that can no longer be told.
        ServiceCode.deltaExpired: .gone,
        ServiceCode.epochChanged: .gone,
        ServiceCode.scopeChanged: .gone,
        ServiceCode.logRestored: .gone,
        // The store.
        ServiceCode.busy: .serviceUnavailable,
        ServiceCode.databaseUnavailable: .serviceUnavailable,
        // Not 503: the same request would take as long again.
        ServiceCode.statementTimeout: .gatewayTimeout,
        ServiceCode.schemaChanged: .serviceUnavailable,
        ServiceCode.storageFull: .init(code: 507, reasonPhrase: "Insufficient Storage"),
        ServiceCode.unreadableValue: .internalServerError,
        ServiceCode.internalError: .internalServerError,
    ]
}
