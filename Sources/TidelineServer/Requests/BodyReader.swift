// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import TidelineService

/// Gathers the body of a request, up to a size and within a time.
struct BodyReader {
    private let timeout: Duration
    private let deadlines: Deadlines

    /// - Parameter timeout: the longest time that a body may take, or stand still where it goes into a file.
    init(timeout: Duration) {
        self.timeout = timeout
        deadlines = Deadlines(interval: min(max(timeout / 20, .milliseconds(10)), .seconds(1)))
    }

    /// - Parameter name: of the limit in the domain's file, where it has one.
    /// - Throws: ``Refusal``: 413 beyond the limit, 408 beyond the time, 415 for a compressed body, 400 for one that was cut
    ///   off.
    func read(_ request: Request, limit: Int, named name: String? = nil) async throws -> [UInt8] {
        let fields = request.head.headerFields
        let declared = fields[.contentLength].flatMap { Int($0) }
        if declared == nil, fields[.transferEncoding] == nil { return [] }
        if declared == 0 { return [] }
        if let coding = fields[.contentEncoding], coding.lowercased() != "identity" {
            throw Refusal(.unsupportedMediaType, "UnsupportedEncoding", "The body must not be compressed.")
        }
        @Sendable func tooLarge() -> Refusal { .tooLarge(limit: limit, named: name) }
        if let declared, declared > limit { throw tooLarge() }
        let body = request.body
        return try await timed(within: timeout) { _ in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(min(declared ?? 0, limit))
            do {
                for try await chunk in body {
                    guard bytes.count + chunk.readableBytes <= limit else { throw tooLarge() }
                    bytes.append(contentsOf: chunk.readableBytesView)
                }
            } catch {
                throw Self.cutOff(error)
            }
            guard declared == nil || declared == bytes.count else { throw Refusal.incompleteBody }
            return bytes
        }
    }

    /// Writes a body into a file as it comes: only the piece at hand is in memory.
    ///
    /// A large body may take long, but may not stand still, and not go on for ever.
    ///
    /// - Parameter total: the time for all of it; from piece to piece it is ``timeout``.
    /// - Throws: ``Refusal``: 413 beyond the file's limit, 408 for a body that stands still or takes too long, 415 for a
    ///   compressed one, 400 for one that was cut off.
    func read(
        _ request: Request,
        into upload: MediaUpload,
        within total: Duration,
        on pool: WorkerPool
    ) async throws {
        let fields = request.head.headerFields
        if let coding = fields[.contentEncoding], coding.lowercased() != "identity" {
            throw Refusal(.unsupportedMediaType, "UnsupportedEncoding", "The body must not be compressed.")
        }
        let declared = fields[.contentLength].flatMap { Int($0) }
        if let declared, declared > upload.limit { throw Refusal.tooLarge(limit: upload.limit) }
        guard fields[.contentLength] != nil || fields[.transferEncoding] != nil else { return }
        let body = request.body
        try await timed(within: timeout, total: total) { turn in
            var count = 0
            var failure: (any Error)?
            do {
                for try await chunk in body {
                    let bytes = Array(chunk.readableBytesView)
                    count += bytes.count
                    do {
                        let isTaken = try await pool.run { try upload.append(bytes) }
                        guard isTaken else { throw Refusal.tooLarge(limit: upload.limit) }
                    } catch {
                        failure = error
                        break
                    }
                    turn.renew()
                }
            } catch {
                throw Self.cutOff(error)
            }
            if let failure { throw failure }
            guard declared == nil || declared == count else { throw Refusal.incompleteBody }
        }
    }

    /// What reading a body failed for: that the client ended it early or marked its pieces wrongly, where it is nothing
    /// that we say ourselves.
    private static func cutOff(_ error: any Error) -> any Error {
        error is Refusal || error is CancellationError ? error : Refusal.incompleteBody
    }

    private func timed<Result: Sendable>(
        within time: Duration,
        total: Duration? = nil,
        _ read: @escaping @Sendable (Deadlines.Turn) async throws -> Result
    ) async throws -> Result {
        do {
            return try await deadlines.run(within: time, total: total, read)
        } catch is Deadlines.Over {
            throw Refusal.slowBody
        }
    }
}
