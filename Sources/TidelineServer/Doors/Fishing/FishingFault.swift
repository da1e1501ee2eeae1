// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

/// Why a request of the fishing app fails: `rc` and `descr` of the answer.
struct FishingFault: Error, Hashable {
    let code: Int
    let message: String
    /// The old clients read the body whatever the status is; of what has no place in it the status tells.
    var status = HTTPResponse.Status.ok
    /// The method that the address takes, where another was sent.
    var allow: String?

    init(_ code: Int, _ message: String, status: HTTPResponse.Status = .ok) {
        self.code = code
        self.message = message
        self.status = status
    }

    static let unknownAction = FishingFault(1, "The action is none of create, update, delete, get and list.")
    static let badToken = FishingFault(2, "The token is unknown, expired or revoked. Sign in again.")
    static let busy = FishingFault(90, "The server has more to do than it can. Try again in a moment.")
    static let tooFar = FishingFault(
        91,
        "This address is for clients on the machine of the server.",
        status: .forbidden
    )

    static func missing(_ name: String) -> FishingFault { FishingFault(3, "The parameter \(name) is missing.") }
    static func unreadable(_ what: String) -> FishingFault { FishingFault(4, "\(what) cannot be read.") }
    static func badID(_ text: String) -> FishingFault { FishingFault(10, "\"\(text.prefix(40))\" is no id.") }
    static func noSpot(_ id: Int64) -> FishingFault { FishingFault(11, "There is no spot with the id \(id).") }
    static func badNumber(_ name: String, _ text: String) -> FishingFault {
        FishingFault(12, "The number \(name) is \"\(text.prefix(40))\", which is none.")
    }
    static let notYours = FishingFault(13, "Only its owner may do that.")
    static func refused(_ message: String) -> FishingFault { FishingFault(14, message) }
    static func tooLarge(_ limit: Int) -> FishingFault {
        FishingFault(20, "The picture is larger than \(limit) bytes, the most that is taken.", status: .contentTooLarge)
    }
    static let otherType = FishingFault(
        21,
        "The picture is none of image/jpeg, image/png and image/webp.",
        status: .unsupportedMediaType
    )
    static let notMultipart = FishingFault(
        22,
        "What is sent with POST is multipart/form-data.",
        status: .unsupportedMediaType
    )
    /// - Parameter allow: the method that is taken.
    static func methodNotAllowed(_ allow: HTTPRequest.Method) -> FishingFault {
        var fault = FishingFault(23, "This address takes \(allow).", status: .methodNotAllowed)
        fault.allow = "\(allow)"
        return fault
    }

    /// - Parameter reference: it stands in the server's log too, with the reason.
    static func failed(_ reference: String) -> FishingFault {
        FishingFault(99, "The server failed to answer; its log has the reason under \(reference).")
    }

    /// What the domain's service refuses.
    ///
    /// - Parameter id: of the spot that was asked for.
    init(_ error: ODataError, _ status: HTTPResponse.Status, id: Int64?, reference: String) {
        switch status.code {
        case 401: self = .badToken
        case 403: self = .notYours
        case 404: self = id.map(Self.noSpot) ?? .refused(error.message)
        case 413: self = FishingFault(20, error.message, status: .contentTooLarge)
        case 400..<500:
            let details = error.details.map(\.message).filter { !$0.isEmpty }
            self = .refused(details.isEmpty ? error.message : details.joined(separator: " "))
        default: self = .failed(reference)
        }
    }
}
