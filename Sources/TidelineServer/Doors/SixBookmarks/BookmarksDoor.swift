// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import TidelineAccounts
import TidelineOData
import TidelineService

/// The door for clients of the service of 2010 that is called Six Bookmarks, where a domain has opened it.
///
///     /services/apirest.aspx    accounts sign in and out
///     /services/usersrest.aspx  users sign in
///     /services/Bookmarks.svc/  their bookmarks, as OData
///
/// Insecure by its nature, so off unless a domain's file turns it on.
struct BookmarksDoor {
    /// The largest body that is taken: an entity takes some hundred bytes.
    static let bodyLimit = 64 * 1024

    let registry: DomainRegistry
    let accounts: Accounts
    let pool: WorkerPool
    let passwordPool: WorkerPool
    let reader: BodyReader
    let gate: BookmarksGate
    let isSecure: Bool
    let now: @Sendable () -> Int64

    /// - Returns: `nil` where no domain has the door: then the address is none of this server's.
    func respond(
        to request: Request,
        at address: BookmarksAddress,
        _ context: ConnectionContext
    ) async throws -> Response? {
        let found = try await pool.run { [registry] in Self.domain(of: registry) }
        guard let (loaded, settings) = found else { return nil }
        let session = BookmarksSession(loaded: loaded, settings: settings, accounts: accounts)
        if address.service != .data { return try await logon(request, address, session, context) }
        return try await data(request, address, session, context)
    }

    /// The domain that has the door; of several, the first by name.
    private static func domain(of registry: DomainRegistry) -> (LoadedDomain, SixBookmarksCompatibility)? {
        for case (_, .loaded(let loaded)) in registry.all() {
            if let settings = loaded.domain.sixBookmarks { return (loaded, settings) }
        }
        return nil
    }

    // MARK: Accounts and users

    /// Every answer is an `AmxResponse`, with status 200 also where it tells an error: so the clients expect it.
    private func logon(
        _ request: Request,
        _ address: BookmarksAddress,
        _ session: BookmarksSession,
        _ context: ConnectionContext
    ) async throws -> Response {
        let isHead = request.method == .head
        do {
            let domain = session.loaded.domain.name
            try gate.check(session.settings, domain: domain, isLoopback: context.isLoopback)
            guard [.get, .head, .post].contains(request.method) else {
                throw Refusal.methodNotAllowed("GET, POST")
            }
            let headers = try BookmarksHeaders(request.headers)
            var text = String(address.query)
            if request.method == .post {
                // Better than an address: what is sent stands in no log of a proxy.
                let body = try await reader.read(Self.tolerating(request), limit: 4096)
                text += (text.isEmpty || body.isEmpty ? "" : "&") + String(decoding: body, as: UTF8.self)
            }
            let form = try BookmarksForm(text)
            let logon = BookmarksLogon(session: session)
            let response = try await passwordPool.run { try logon.respond(address.service, headers, form) }
            return Self.answer(response, .ok, isHead: isHead)
        } catch let fault as BookmarksFault {
            return answer(fault, .ok, isHead: isHead)
        } catch let refusal as Refusal {
            var answer = answer(
                BookmarksFault(refusal.error.code, refusal.error.message),
                refusal.status,
                isHead: isHead
            )
            for field in refusal.fields { answer.headers[field.name] = field.value }
            return answer
        } catch is WorkerPool.Busy {
            return answer(BookmarksFault("Busy", Refusal.busy.error.message), .ok, isHead: isHead)
        } catch let error as CancellationError {
            throw error
        } catch {
            gate.logger.error(
                "Request failed",
                metadata: ["path": "\(address.canonicalRoot)", "error": "\(String(reflecting: type(of: error)))"]
            )
            return answer(.failed, .ok, isHead: isHead)
        }
    }

    private func answer(_ fault: BookmarksFault, _ status: HTTPResponse.Status, isHead: Bool) -> Response {
        let reference = String(UInt64.random(in: 0 ... .max), radix: 16)
        gate.logger.info(
            "Six Bookmarks: refused",
            metadata: ["code": "\(fault.code)", "reference": "\(reference)"]
        )
        var response = Self.answer(.fault(fault, reference: reference), status, isHead: isHead)
        if let seconds = fault.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
        return response
    }

    private static func answer(_ response: AmxResponse, _ status: HTTPResponse.Status, isHead: Bool) -> Response {
        Answer.bytes(
            response.bytes,
            type: "text/xml; charset=utf-8",
            status: status,
            fields: [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            isHead: isHead
        )
    }

    // MARK: Bookmarks

    private func data(
        _ request: Request,
        _ address: BookmarksAddress,
        _ session: BookmarksSession,
        _ context: ConnectionContext
    ) async throws -> Response {
        let format = BookmarksData.format(request.head, address.query)
        let answer: BookmarksAnswer
        do {
            let domain = session.loaded.domain.name
            try gate.check(session.settings, domain: domain, isLoopback: context.isLoopback)
            let headers = try BookmarksHeaders(request.headers)
            // A stranger's body is not even read.
            let user = try await pool.run { try session.user(headers) }
            let body = try await reader.read(Self.tolerating(request), limit: Self.bodyLimit)
            let base = "\(isSecure ? "https" : "http")://\(request.head.authority ?? "")"
            guard let face = BookmarksFace(session.loaded.domain, session.settings, at: address, base: base) else {
                throw BookmarksFault.failed
            }
            let logger = gate.logger
            let data = BookmarksData(loaded: session.loaded, face: face, user: user, now: now()) {
                logger.warning(
                    "Six Bookmarks: an entity named another user as its owner, and was given its own",
                    metadata: ["domain": "\(domain)", "user": "\(user.name)"]
                )
            }
            let head = request.head
            answer = try await pool.run { data.respond(head, address.rest, address.query, body) }
        } catch let fault as BookmarksFault {
            answer = Self.answer(fault, domain: session.loaded.domain.name, format)
        } catch let refusal as Refusal {
            var refused = BookmarksAnswer(refusal.error, refusal.status, segment: BookmarksFace.set, format)
            for field in refusal.fields { refused.fields[field.name] = field.value }
            answer = refused
        }
        var encoded = answer
        encoded.encode(as: BookmarksText(accepting: request.headers[.acceptCharset]))
        let isJSON = answer.fields[.contentType]?.hasPrefix("application/json") ?? false
        let head = encoded.finished(for: request.head, isSecondVersion: isJSON)
        return Answer.whole(encoded.bytes, head, isHead: request.method == .head)
    }

    /// Who is not let in is told so as HTTP does it.
    private static func answer(_ fault: BookmarksFault, domain: String, _ format: V2Format) -> BookmarksAnswer {
        let status: HTTPResponse.Status =
            switch fault {
            case .tooFar: .forbidden
            case .failed: .internalServerError
            default: .unauthorized
            }
        let error = ODataError(code: fault.code, message: fault.message)
        var answer = BookmarksAnswer(error, status, segment: "", format)
        if status == .unauthorized { answer.fields[.wwwAuthenticate] = "AmxToken realm=\"\(domain)\"" }
        return answer
    }

    /// The request without `Content-Encoding: UTF-8`, which a client of 2010 sends and which is no coding.
    private static func tolerating(_ request: Request) -> Request {
        guard request.headers[.contentEncoding]?.lowercased() == "utf-8" else { return request }
        var head = request.head
        head.headerFields[.contentEncoding] = nil
        return Request(head: head, body: request.body)
    }
}
