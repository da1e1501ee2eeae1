// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineModel
import TidelineOData
import TidelineStorage

/// Deletes the records of repeatable requests when a client has no more use for them.
///
///     DELETE $RepeatableRequestWithRequestID/3f2a…
///     DELETE $RepeatableRequestWithClientID/device-1
///
/// What was decided of a client with numbers stays decided: its mark is not deleted, only the answers.
/// Source: OASIS Repeatable Requests 1.0, section 2.3.
struct RepeatabilityRecords {
    let store: any Store
    let fields: HTTPFields
    let user: UserContext
    let userName: String?

    private static let byRequest = "$RepeatableRequestWithRequestID/"
    private static let byClient = "$RepeatableRequestWithClientID/"

    /// Whether a path below the service root leads to a record.
    static func isRecord(_ text: String) -> Bool { text.hasPrefix(byRequest) || text.hasPrefix(byClient) }

    /// - Throws: `NotFound`.
    func respond(_ method: HTTPRequest.Method, _ text: String) throws -> Answer {
        guard method == .delete else {
            return try Answer.notAllowed("A record of a repeatable request takes DELETE.", allow: "DELETE", fields)
        }
        let isRequest = text.hasPrefix(Self.byRequest)
        let id = try PercentCoding.decode(text.dropFirst((isRequest ? Self.byRequest : Self.byClient).count))
        guard !id.isEmpty, !id.contains("/") else { throw Self.absent }
        let isThere = try store.write { writer in
            isRequest ? try forget(request: id.lowercased(), writer) : try forget(client: id, writer)
        }
        guard isThere else { throw Self.absent }
        return Answer(.noContent)
    }

    private static var absent: ODataError { ODataError(.notFound, "There is no such record.") }

    private func forget(request id: String, _ writer: any StoreWriter) throws -> Bool {
        let named = fields[.repeatabilityClientID]
        var clients = [RepeatableRequest.client(named ?? "request:\(id)", of: userName)]
        if let named, let mark = try writer.mark(client: named), mark.admits(GroupHandler.user(user, userName)) {
            clients.append(named)
        }
        for client in clients where try writer.answer(client: client, request: id) != nil {
            return try writer.forgetAnswer(client: client, request: id)
        }
        return false
    }

    /// The answers of a client with numbers; those of others go by their identifiers, or by age.
    private func forget(client: String, _ writer: any StoreWriter) throws -> Bool {
        guard let mark = try writer.mark(client: client), mark.admits(GroupHandler.user(user, userName)) else {
            return false
        }
        try writer.forgetAnswers(client: client, through: mark.transaction)
        return true
    }
}
