// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

/// The resource at which a client asks for an answer that comes later: `$async/ID`.
struct Monitor {
    static let prefix = "$async/"

    let deferral: Deferral
    let owner: String
    /// The service root with a slash at its end.
    let root: String
    let version: ODataVersion

    /// The answer to a request that was taken.
    func accepted(_ id: String) -> ServiceResponse {
        var fields = HTTPFields()
        fields[.location] = root + Self.prefix + id
        fields[.retryAfter] = "1"
        fields[.odataVersion] = version.rawValue
        fields[.preferenceApplied] = "respond-async"
        fields[.contentLength] = "0"
        return ServiceResponse(head: HTTPResponse(status: .accepted, headerFields: fields))
    }

    /// Answers a request to the monitor.
    func respond(to request: HTTPRequest, id: String) throws -> ServiceResponse {
        switch request.method {
        case .get, .head:
            switch deferral.state(id, owner: owner) {
            case nil: throw Self.unknown
            case .waiting?, .running?:
                var response = accepted(id)
                response.head.headerFields[.preferenceApplied] = nil
                return response
            case .done(let response)?: return try final(response, request)
            }
        case .delete:
            switch deferral.cancel(id, owner: owner) {
            case .unknown: throw Self.unknown
            case .tooLate: return try refused("The change has begun and is not stopped.", allow: "GET, HEAD", request)
            case .cancelled:
                var fields = HTTPFields()
                fields[.odataVersion] = version.rawValue
                return ServiceResponse(head: HTTPResponse(status: .noContent, headerFields: fields))
            }
        default: return try refused("A status monitor takes GET and DELETE.", allow: "GET, HEAD, DELETE", request)
        }
    }

    private func refused(_ message: String, allow: String, _ request: HTTPRequest) throws -> ServiceResponse {
        let answer = try Answer.notAllowed(message, allow: allow, request.headerFields)
        var head = HTTPResponse(status: answer.status, headerFields: answer.fields)
        head.headerFields[.contentLength] = "\(answer.bytes.count)"
        return ServiceResponse(head: head, body: .bytes(answer.bytes))
    }

    private static let unknown = ODataError(.notFound, "There is no such answer waiting, or not any more.")

    /// The answer itself with its status in a header field, or within a message of HTTP as 4.0 has it.
    ///
    /// Source: OData Protocol 4.01, sections 8.3.1 and 11.6.
    private func final(_ response: ServiceResponse, _ request: HTTPRequest) throws -> ServiceResponse {
        let accept = request.headerFields[.accept]?.lowercased()
        let isWrapped = accept.map { $0.contains("application/http") } ?? (version == .v40)
        guard isWrapped else {
            var response = response
            response.head.headerFields[.asyncResult] = "\(response.head.status.code)"
            response.head.status = .ok
            return response
        }
        var text = "HTTP/1.1 \(response.head.status.code) \(response.head.status.reasonPhrase)\r\n"
        for field in response.head.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        let bytes = Array("\(text)\r\n".utf8) + (try response.body.all())
        var fields = HTTPFields()
        fields[.contentType] = "application/http"
        fields[.contentTransferEncoding] = "binary"
        fields[.odataVersion] = version.rawValue
        fields[.contentLength] = "\(bytes.count)"
        return ServiceResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: .bytes(bytes))
    }
}

extension HTTPField.Name {
    static let contentTransferEncoding = HTTPField.Name("Content-Transfer-Encoding") ?? .contentType
}
