// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import TidelineOData

/// The body of an answer that tells of changes as long as somebody listens.
///
/// A class, for thousands wait here at the same time: their tasks hold one word of it and not all.
final class EventStream: Sendable {
    /// Kept by a browser between two connections.
    private static let retryInMilliseconds = 3_000

    private static let retry = ByteBuffer(bytes: StreamEvent.retry(milliseconds: retryInMilliseconds))

    private let turn: EventTurn
    private let hub: EventHub
    private let pool: WorkerPool
    private let context: ConnectionContext

    init(_ turn: EventTurn, hub: EventHub, pool: WorkerPool, _ context: ConnectionContext) {
        self.turn = turn
        self.hub = hub
        self.pool = pool
        self.context = context
    }

    /// Writes each step of the listener, until its last one.
    var body: ResponseBody {
        ResponseBody { [self] writer in
            let membership = join()
            defer { leave() }
            try await writer.write(Self.retry)
            try await writer.write(begin())
            while let bytes = try await next() {
                try await writer.write(bytes)
                try await arrive()
            }
            withExtendedLifetime(membership) {}
            try await writer.finish(nil)
        }
    }

    // What these need while they run is no part of the task while it waits.

    @inline(never)
    private func join() -> EventHub.Membership {
        context.onHangUp { [turn] in turn.listener.end() }
        return hub.tell(turn.listener, of: turn.loaded)
    }

    @inline(never)
    private func leave() { context.onHangUp(nil) }

    @inline(never)
    private func begin() async throws -> ByteBuffer {
        ByteBuffer(bytes: StreamEvent(try await turn.first(on: pool)).bytes)
    }

    /// Returns when the connection has what was written: only then does the writer know whether the next has to wait.
    @inline(never)
    private func arrive() async throws { try await context.eventLoop.submit {}.get() }

    @inline(never)
    private func next() async throws -> ByteBuffer? { Self.bytes(try await turn.step()) }

    /// What is sent for a step; `nil` at the end.
    @inline(never)
    private static func bytes(_ step: EventListener.Step) -> ByteBuffer? {
        switch step {
        case .tell(let notice): ByteBuffer(bytes: StreamEvent(notice).bytes)
        case .keepAlive(let id?): ByteBuffer(bytes: StreamEvent(id: id).bytes)
        case .keepAlive(nil): ByteBuffer(bytes: StreamEvent.keepAlive)
        case .end: nil
        }
    }
}
