// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import TidelineAccounts
import TidelineModel
import TidelineService

/// `/odata/<domain>/…`: who asks is found out, the body is gathered, and the domain's service answers on a thread of
/// the pool.
struct ODataDoor {
    /// Everything that is known before the body is read.
    private struct Caller: Sendable {
        var loaded: LoadedDomain
        var user: UserContext
        var name: String?
    }

    let accounts: Accounts
    let registry: DomainRegistry
    let pool: WorkerPool
    let reader: BodyReader
    let names: ServerNames
    let isSecure: Bool
    /// The most that one piece of a spooled answer holds in memory.
    static let chunkInBytes = 256 * 1024

    func respond(to request: Request, at address: RequestAddress) async throws -> Response {
        guard let name = address.domain else {
            throw Refusal(.notFound, "NotFound", "Data is at /odata/<domain>/. The root page lists the domains.")
        }
        var head = request.head
        let isHead = head.method == .head
        if isHead { head.method = .get }
        if address.rest == nil { head.path = "/odata/\(name)/" + Self.query(head.path) }
        // The connection knows; what HTTP/1 parsed does not.
        head.scheme = isSecure ? "https" : "http"
        guard head.headerFields[.authorization] != nil || names.contains(head.authority) else {
            throw Refusal.strangeHost
        }
        let token = try Self.bearer(head.headerFields[.authorization], domain: name)
        let domain = String(name)
        let registry = registry
        let accounts = accounts
        let resolve: @Sendable () throws -> Caller = {
            switch registry.lookup(domain) {
            case .unknown: throw Refusal.unknownDomain(domain[...])
            case .broken: throw Refusal.brokenDomain
            case .loaded(let loaded): return try Self.caller(loaded, token, accounts)
            }
        }
        let complete = head
        let response: ServiceResponse
        if head.method == .get {
            response = try await pool.run { try Self.answer(complete, [], resolve()) }
        } else {
            if token == nil, head.method != .options, CrossSite.sent(head) { throw Refusal.crossSite }
            // A stranger's body is not even read.
            let caller = try await pool.run(resolve)
            let limits = caller.loaded.domain.limits
            let isBatch = address.rest == "$batch"
            let body = try await reader.read(request, limit: isBatch ? limits.batchBytes : limits.bodyBytes)
            response = try await pool.run { Self.answer(complete, body, caller) }
        }
        return whole(response, isHead: isHead)
    }

    private static func answer(_ head: HTTPRequest, _ body: [UInt8], _ caller: Caller) -> ServiceResponse {
        caller.loaded.service.respond(to: head, body: body, user: caller.user, userName: caller.name)
    }

    private static func caller(_ loaded: LoadedDomain, _ token: String?, _ accounts: Accounts) throws -> Caller {
        let domain = loaded.domain.name
        guard let token else {
            guard loaded.domain.isOpen else { throw Refusal.unauthorized(domain: domain, isTokenInvalid: false) }
            return Caller(loaded: loaded, user: .anonymous, name: nil)
        }
        do {
            let user = try accounts.authenticate(token, domain: domain)
            return Caller(loaded: loaded, user: user.context, name: user.name)
        } catch let error as AccountsError where error.code == .invalidToken {
            throw Refusal.unauthorized(domain: domain, isTokenInvalid: true)
        }
    }

    /// The token of an Authorization field, or nil where there is none.
    ///
    /// Source: RFC 6750, section 2.1.
    private static func bearer(_ field: String?, domain: Substring) throws -> String? {
        guard let field, !field.isEmpty else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.first?.lowercased() == "bearer" else { throw Refusal.otherScheme(domain: domain) }
        guard parts.count == 2, parts[1].utf8.count <= 256 else {
            throw Refusal.unauthorized(domain: domain, isTokenInvalid: true)
        }
        return String(parts[1])
    }

    /// The query of a target with its question mark, or nothing.
    private static func query(_ target: String?) -> Substring {
        target.flatMap { target in target.firstIndex(of: "?").map { target[$0...] } } ?? ""
    }

    private func whole(_ response: ServiceResponse, isHead: Bool) -> Response {
        var head = response.head
        head.headerFields[.xContentTypeOptions] = "nosniff"
        switch response.body {
        case .bytes(let bytes):
            return Answer.whole(bytes, head, isHead: isHead)
        case .spool(let file):
            var fields = head.headerFields
            Compression.mark(&fields, size: file.count, isHead: isHead)
            fields[.contentLength] = "\(file.count)"
            if isHead { return Response(status: head.status, headers: fields) }
            return Response(status: head.status, headers: fields, body: stream(file))
        }
    }

    /// A body that reads the next piece when the one before has gone out; the file goes with its last reader.
    private func stream(_ file: SpoolFile) -> Hummingbird.ResponseBody {
        let pool = pool
        return Hummingbird.ResponseBody(contentLength: file.count) { writer in
            var offset = 0
            while offset < file.count {
                let start = offset
                let piece = try await pool.run { try file.bytes(at: start, count: Self.chunkInBytes) }
                try await writer.write(ByteBuffer(bytes: piece))
                offset += piece.count
            }
            try await writer.finish(nil)
        }
    }
}
