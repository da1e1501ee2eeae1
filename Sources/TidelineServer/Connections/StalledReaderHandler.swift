// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Ends a connection whose other side takes nothing of an answer for a while.
///
/// An answer goes out piece by piece; a piece counts as taken when the system has all of it.
final class StalledReaderHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let timeout: TimeAmount
    /// Pieces on their way.
    private var pending = 0
    /// Pieces that were taken, and how many there were when this was last looked at.
    private var taken = 0
    private var seen = 0
    private var isWatching = false

    init(timeout: Duration) {
        self.timeout = TimeAmount(timeout)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let done = promise ?? context.eventLoop.makePromise(of: Void.self)
        pending += 1
        done.futureResult.assumeIsolated().whenComplete { _ in
            self.pending -= 1
            self.taken += 1
        }
        watch(context)
        context.write(data, promise: done)
    }

    private func watch(_ context: ChannelHandlerContext) {
        guard !isWatching else { return }
        isWatching = true
        seen = taken
        let channel = context.channel
        context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { self.look(channel, context) }
    }

    private func look(_ channel: any Channel, _ context: ChannelHandlerContext) {
        isWatching = false
        guard pending > 0, channel.isActive else { return }
        if taken == seen { return channel.close(promise: nil) }
        watch(context)
    }
}
