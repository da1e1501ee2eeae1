// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineModel
import TidelineOData
import TidelineService
import TidelineStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rows of the domain as a page reads and writes them: by requests to its service, in the name of the account.
///
/// So policies, rules and the log of changes are those of every other client. All of it blocks.
struct PageRows: Sendable {
    /// Why the service refused something.
    struct Refused: Error {
        var status: HTTPResponse.Status
        var code: String
        var message: String
        /// What is wrong of which property, where the service tells it.
        var details: [(property: String, message: String)]

        /// Whether the service failed, such as where its database is busy: what was typed may be right.
        var isFailure: Bool { status.code >= 500 }

        /// What a form says of a failure.
        var failure: String {
            "The service could not save this now. What you typed is still here: wait a moment, then save it again. "
                + "Code to report: \(code)."
        }

        /// The status of the form that tells it.
        var formStatus: HTTPResponse.Status { isFailure ? status : .unprocessableContent }
    }

    let service: ODataService
    let user: UserContext
    let name: String?

    init(_ loaded: LoadedDomain, _ user: User) {
        service = loaded.service
        self.user = user.context
        name = user.name
    }

    /// Who registers: nobody yet, and may insert an account alone.
    init(registeringAt loaded: LoadedDomain) {
        service = loaded.service
        user = UserContext(id: .string("registration"), name: "", roles: ["registration"], attributes: [:])
        name = nil
    }

    /// All rows of a set, of however many pages the service makes them.
    func list<Row: Decodable>(_ path: String, of type: Row.Type) throws -> [Row] {
        var rows: [Row] = []
        var next: String? = path
        while let path = next {
            let page = try decode(Page<Row>.self, try send(.get, path))
            rows += page.value
            next = page.next
        }
        return rows
    }

    /// One row, or `nil` where the account has none of that key.
    func row<Row: Decodable>(_ path: String, of type: Row.Type) throws -> Row? {
        do {
            return try decode(Row.self, try send(.get, path))
        } catch let error as Refused where error.status == .notFound {
            return nil
        }
    }

    /// Inserts the row of somebody who signs in, with the password in the same transaction.
    ///
    /// - Parameter password: what stores it.
    func insert(
        _ body: some Encodable,
        into set: String,
        password: @escaping @Sendable (any StoreWriter) throws -> Void
    ) throws {
        let fields: HTTPFields = [.prefer: "return=minimal"]
        _ = try send(.post, set, body: try JSONEncoder().encode(body), fields: fields, alongside: password)
    }

    /// Changes a row that still has the version that the form was made of.
    func update(_ path: String, _ body: some Encodable, etag: String) throws {
        _ = try send(.patch, path, body: try JSONEncoder().encode(body), fields: [.ifMatch: etag])
    }

    /// Sends several requests as one group: all of them are done, or none.
    ///
    /// - Returns: what was refused, by the number of its request.
    func group(_ requests: [BatchPart]) throws -> (number: Int, error: Refused)? {
        struct Batch: Encodable { var requests: [BatchPart] }
        struct Answers: Decodable { var responses: [Answer] }
        struct Answer: Decodable {
            var id: String
            var status: Int
            var body: ErrorBody?
        }
        let body = try JSONEncoder().encode(Batch(requests: requests))
        let answers = try decode(Answers.self, try send(.post, "$batch", body: body)).responses
        // A request that failed because another did says so with 424.
        let failed = answers.filter { $0.status >= 400 }
        guard let first = failed.first(where: { $0.status != 424 }) ?? failed.first else { return nil }
        let status = HTTPResponse.Status(code: first.status)
        return (Int(first.id) ?? 0, Self.refused(status, first.body))
    }

    // MARK: The way to the service

    private struct Page<Row: Decodable>: Decodable {
        var value: [Row]
        /// Where the rows after these are read, where there are more.
        var next: String?

        enum CodingKeys: String, CodingKey {
            case value
            case next = "@odata.nextLink"
        }
    }

    private struct ErrorBody: Decodable {
        struct Content: Decodable {
            var code: String
            var message: String
            var target: String?
            var details: [Detail]?
        }
        struct Detail: Decodable {
            var message: String
            var target: String?
        }
        /// None in the body of an entity.
        var error: Content?
    }

    private static let contentTypes = "application/json;odata.metadata=minimal"

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: Data = Data(),
        fields: HTTPFields = [:],
        alongside: (@Sendable (any StoreWriter) throws -> Void)? = nil
    ) throws -> ServiceResponse {
        var request = HTTPRequest(
            method: method,
            scheme: nil,
            authority: nil,
            // The link to a next page begins with the root.
            path: path.hasPrefix("/") ? path : "/odata/\(service.domain.name)/\(path)",
            headerFields: fields
        )
        request.headerFields[.accept] = Self.contentTypes
        if !body.isEmpty { request.headerFields[.contentType] = "application/json" }
        let body = Array(body)
        let response =
            if let alongside {
                service.insert(request, body: body, user: user, userName: name, alongside: alongside)
            } else {
                service.respond(to: request, body: body, user: user, userName: name)
            }
        guard response.head.status.code < 400 else {
            throw Self.refused(response.head.status, try? decode(ErrorBody.self, response))
        }
        return response
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ response: ServiceResponse) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try response.body.all()))
    }

    private static func refused(_ status: HTTPResponse.Status, _ body: ErrorBody?) -> Refused {
        guard let error = body?.error else {
            return Refused(status: status, code: "\(status.code)", message: "The service refused it.", details: [])
        }
        var details = (error.details ?? []).compactMap { detail in detail.target.map { ($0, detail.message) } }
        if details.isEmpty, let target = error.target { details = [(target, error.message)] }
        return Refused(status: status, code: error.code, message: error.message, details: details)
    }
}
