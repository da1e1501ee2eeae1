// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection on which the body of an answered request still comes, after the time that a body may take.
///
/// A refusal is sent before the body has been read. What is left of the body is taken and thrown away, for a client that
/// has sent all of it looks for the answer then; but a body without an end would hold its connection for ever.
final class UnreadBodyHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The most that is taken of a body that nobody reads.
    private static let limitInBytes = 128 << 20

    private let timeout: TimeAmount
    /// Requests whose answers are not complete.
    private var unanswered = 0
    /// Whether the body of the newest request has not ended.
    private var isBodyComing = false
    /// The bytes that came after the answer.
    private var unread = 0
    private var end: Scheduled<Void>?

    init(timeout: Duration) {
        self.timeout = TimeAmount(timeout)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isBodyComing = true
            unread = 0
        case .body(let bytes):
            if unanswered == 0 { unread += bytes.readableBytes }
            if unread > Self.limitInBytes { context.close(promise: nil) }
        case .end:
            isBodyComing = false
            end?.cancel()
            end = nil
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            if unanswered == 0, isBodyComing, end == nil {
                let channel = context.channel
                end = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
            }
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        end = nil
        context.fireChannelInactive()
    }
}
