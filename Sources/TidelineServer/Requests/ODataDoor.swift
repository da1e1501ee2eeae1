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
    let finder: CallerFinder
    let pool: WorkerPool
    let reader: BodyReader
    let events: EventDoor
    let isSecure: Bool
    /// The room of the answers that wait for their readers; those without room wait in files of the folder.
    let memory: AnswerMemory
    let spoolFolder: String
    /// The most that one piece of an answer holds in memory; what is no larger takes no room.
    static let chunkInBytes = 128 * 1024

    func respond(to request: Request, at address: RequestAddress, _ context: ConnectionContext) async throws -> Response
    {
        guard let name = address.domain else {
            throw Refusal(.notFound, "NotFound", "Data is at /odata/<domain>/. The root page lists the domains.")
        }
        if address.rest == EventDoor.path[...] { return try await events.respond(to: request, domain: name, context) }
        var head = request.head
        let isHead = head.method == .head
        if isHead { head.method = .get }
        if address.rest == nil { head.path = "/odata/\(name)/" + Self.query(head.path) }
        // The connection knows; what HTTP/1 parsed does not.
        head.scheme = isSecure ? "https" : "http"
        let credentials = try finder.credentials(head, domain: name)
        let isRead = head.method == .get
        if !isRead, credentials.areAmbient, head.method != .options, CrossSite.sent(head) { throw Refusal.crossSite }
        let resolve = try await finder.resolver(head, String(name), credentials, context)
        let complete = head
        let response: Held
        if isRead {
            response = try await pool.run { try held(Self.answer(complete, [], resolve())) }
        } else {
            // A stranger's body is not even read.
            let (caller, admission) = try await pool.run {
                let caller = try resolve()
                return (caller, try Self.upload(complete, caller))
            }
            let limits = caller.loaded.domain.limits
            switch admission {
            case .none: break
            case .refused(let response): return whole(Held(response: response), isHead: false, context)
            case .accepted(let upload):
                try await reader.read(request, into: upload, within: .seconds(limits.uploadSeconds), on: pool)
                response = try await pool.run { try held(Self.answer(complete, [], caller, upload)) }
                return whole(try await settled(response), isHead: false, context)
            }
            let isBatch = address.rest == "$batch"
            let (limit, name) = isBatch ? (limits.batchBytes, "batchBytes") : (limits.bodyBytes, "bodyBytes")
            let body = try await reader.read(request, limit: limit, named: name)
            response = try await pool.run { try held(Self.answer(complete, body, caller)) }
        }
        return whole(try await settled(response), isHead: isHead, context)
    }

    /// The answer itself where it comes while the client waits for it; else the one that tells where it will be.
    ///
    /// Nobody's thread waits.
    private func settled(_ held: Held) async throws -> Held {
        guard let pending = held.response.pending else { return held }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let timer = Task {
            try? await Task.sleep(for: pending.patience)
            end.finish()
        }
        pending.whenReady { end.finish() }
        for await _ in ends {}
        timer.cancel()
        guard let response = pending.take() else { return held }
        return try await pool.run { try self.held(response) }
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
    private static func upload(_ head: HTTPRequest, _ caller: Caller) throws -> UploadAdmission {
        try caller.loaded.service.upload(for: head, user: caller.user, userName: caller.name)
    }

    /// The query of a target with its question mark, or nothing.
    private static func query(_ target: String?) -> Substring {
        target.flatMap { target in target.firstIndex(of: "?").map { target[$0...] } } ?? ""
    }

    /// An answer, and the room that it takes in memory while it waits for its reader.
    private struct Held: Sendable {
        var response: ServiceResponse
        var room: AnswerMemory.Room?
    }

    /// The answer with room in memory, or else in a file.
    ///
    /// Blocks.
    private func held(_ response: ServiceResponse) throws -> Held {
        guard case .bytes(let bytes) = response.body, bytes.count > Self.chunkInBytes else {
            return Held(response: response)
        }
        if let room = memory.room(for: bytes.count) { return Held(response: response, room: room) }
        var spooled = response
        spooled.body = .spool(try SpoolFile(of: bytes, in: spoolFolder))
        return Held(response: spooled)
    }

    private func whole(_ held: Held, isHead: Bool, _ context: ConnectionContext) -> Response {
        var head = held.response.head
        head.headerFields[.xContentTypeOptions] = "nosniff"
        if held.room == nil, case .bytes(let bytes) = held.response.body {
            return Answer.whole(bytes, head, isHead: isHead)
        }
        let count = held.response.body.count
        var fields = head.headerFields
        // A part of a file is a part of its bytes as they are.
        if fields[.acceptRanges] == nil { Compression.mark(&fields, size: count, isHead: isHead) }
        fields[.contentLength] = "\(count)"
        if isHead { return Response(status: head.status, headers: fields) }
        return Response(status: head.status, headers: fields, body: stream(held, on: context.eventLoop))
    }

    /// A body whose next piece is made when the one before has gone out; file and room go with the last reader.
    private func stream(_ held: Held, on eventLoop: any EventLoop) -> Hummingbird.ResponseBody {
        let pool = pool
        let count = held.response.body.count
        return Hummingbird.ResponseBody(contentLength: count) { writer in
            var offset = 0
            while offset < count {
                let start = offset
                let piece: ByteBuffer
                switch held.response.body {
                case .bytes(let bytes):
                    piece = ByteBuffer(bytes: bytes[start..<min(start + Self.chunkInBytes, count)])
                case .spool(let file):
                    let bytes = try await pool.run { try file.bytes(at: start, count: Self.chunkInBytes) }
                    piece = ByteBuffer(bytes: bytes)
                }
                offset += piece.readableBytes
                try await writer.write(piece)
                // Only when the connection has it does the writer know whether the next has to wait: else a body runs ahead
                // of its reader.
                try await eventLoop.submit {}.get()
            }
            // The room is taken until here.
            withExtendedLifetime(held.room) {}
            try await writer.finish(nil)
        }
    }
}
