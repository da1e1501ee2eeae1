// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Tells a long answer that its reader is gone.
///
/// An answer that waits for something writes nothing, so it would not notice.
final class HangUpHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private var receiver: (@Sendable () -> Void)?
    private var isGone = false

    /// Has `receive` called when the other side has closed, at once where it has; `nil` takes that back.
    ///
    /// On the channel's event loop.
    func onHangUp(_ receive: (@Sendable () -> Void)?) {
        receiver = receive
        if isGone { hangUp() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { hangUp() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        hangUp()
        context.fireChannelInactive()
    }

    private func hangUp() {
        isGone = true
        receiver?()
        receiver = nil
    }
}
