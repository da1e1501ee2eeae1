// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData
import TidelineStorage
import TidelineModel

/// What a client is told of an error.
extension ODataService {
    /// An error's answer, with the fields that some errors have.
    static func answer(_ error: ODataError, _ call: Call, _ model: EntityModel) -> Answer {
        var answer = Answer(error, version: call.version)
        switch answer.status {
        case .gone: answer.fields[.location] = Link(call: call).fresh
        case .methodNotAllowed:
            let allowed = Methods.allowed(call.target.path, in: model).filter { $0 != call.method }
            answer.fields[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        case .serviceUnavailable: answer.fields[.retryAfter] = "1"
        default: break
        }
        return answer
    }

    /// The error as the client gets it: one of ours is reported, and told by an id and what may be known of it.
    func answerable(_ error: any Error) -> ODataError {
        var known: ODataError?
        switch error {
        case let error as ODataError: known = error
        case let error as GroupFailure: known = error.error
        case let error as StepFailure: known = error.error
        case let error as StorageError:
            known = ODataError(error)
            // What only who runs the server can mend.
            if [.unavailable, .full, .schemaChanged].contains(error.code) { core.report(error.code.rawValue, error) }
        // No room for a spool file is no room: what can be done about it is the same.
        case let error as SpoolError where error.operation != .read:
            known = ODataError(StorageError(.full, message: "The spool file cannot be written."))
        default: break
        }
        if let known, Status.of(known) != .internalServerError { return known }
        let id = String(UInt64.random(in: 0 ... .max), radix: 36)
        core.report(id, error)
        let log = "The server's log tells more under the id \(id)."
        guard let known, known.code != ServiceCode.internalError, Status.isKnown(known.code) else {
            return ODataError(service: ServiceCode.internalError, "The server failed. \(log)")
        }
        return ODataError(service: known.code, "\(known.message) \(log)", target: known.target)
    }
}
