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

    let sender: Sender
    let registry: DomainRegistry
    let pool: WorkerPool
    let reader: BodyReader
    let names: ServerNames
    let isSecure: Bool
    /// The most that one piece of a spooled answer holds in memory.
    static let chunkInBytes = 256 * 1024

    func respond(to request: Request, at address: RequestAddress, _ context: ConnectionContext) async throws -> Response
    {
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
        let credentials = try sender.credentials(head.headerFields[.authorization], domain: name)
        let isRead = head.method == .get
        if !isRead, credentials.areAmbient, head.method != .options, CrossSite.sent(head) { throw Refusal.crossSite }
        let resolve = try await resolver(String(name), credentials, context)
        let complete = head
        let response: ServiceResponse
        if isRead {
            response = try await pool.run { try Self.answer(complete, [], resolve()) }
        } else {
            // A stranger's body is not even read.
            let caller = try await pool.run(resolve)
            let limits = caller.loaded.domain.limits
            if let upload = try await pool.run({ try Self.upload(complete, caller) }) {
                try await reader.read(request, into: upload, on: pool)
                response = try await pool.run { Self.answer(complete, [], caller, upload) }
                return whole(await Self.settled(response), isHead: false)
            }
            let isBatch = address.rest == "$batch"
            let body = try await reader.read(request, limit: isBatch ? limits.batchBytes : limits.bodyBytes)
            response = try await pool.run { Self.answer(complete, body, caller) }
        }
        return whole(await Self.settled(response), isHead: isHead)
    }

    /// The answer itself where it comes while the client waits for it; else the one that tells where it will be.
    ///
    /// Nobody's thread waits.
    private static func settled(_ response: ServiceResponse) async -> ServiceResponse {
        guard let pending = response.pending else { return response }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let timer = Task {
            try? await Task.sleep(for: pending.patience)
            end.finish()
        }
        pending.whenReady { end.finish() }
        for await _ in ends {}
        timer.cancel()
        return pending.take() ?? response
    }

    private static func answer(
        _ head: HTTPRequest,
        _ body: [UInt8],
        _ caller: Caller,
        _ upload: MediaUpload? = nil
    ) -> ServiceResponse {
        caller.loaded.service.respond(
            to: head,
            body: body,
            upload: upload,
            user: caller.user,
            userName: caller.name
        )
    }

    /// The file for a body that is the content of a stream.
    private static func upload(_ head: HTTPRequest, _ caller: Caller) throws -> MediaUpload? {
        try caller.loaded.service.upload(for: head, user: caller.user, userName: caller.name)
    }

    /// What finds out the domain and who asks, on a thread of the pool; a password is looked at before.
    private func resolver(
        _ domain: String,
        _ credentials: Sender.Credentials,
        _ context: ConnectionContext
    ) async throws -> @Sendable () throws -> Caller {
        let registry = registry
        let sender = sender
        @Sendable func loaded() throws -> LoadedDomain {
            switch registry.lookup(domain) {
            case .unknown: throw Refusal.unknownDomain(domain[...])
            case .broken: throw Refusal.brokenDomain
            case .loaded(let loaded): return loaded
            }
        }
        var known: User?
        if case .password(let name, let password) = credentials {
            // No work for a domain that is not there.
            _ = try await pool.run(loaded)
            known = try await sender.user(name, password, of: domain, isLoopback: context.isLoopback)
        }
        let user = known
        return {
            let found = try loaded()
            if let user = try user ?? sender.user(credentials, of: domain) {
                return Caller(loaded: found, user: user.context, name: user.name)
            }
            guard found.domain.isOpen else { throw sender.unauthorized(domain, isTokenInvalid: false) }
            return Caller(loaded: found, user: .anonymous, name: nil)
        }
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
            // A part of a file is a part of its bytes as they are.
            if fields[.acceptRanges] == nil { Compression.mark(&fields, size: file.count, isHead: isHead) }
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
