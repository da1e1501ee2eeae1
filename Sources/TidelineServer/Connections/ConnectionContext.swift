// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import NIOCore

/// What is known of a request beside its head and body: who connected, and over what.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the peer, without its port; nil for a Unix socket or in a test without sockets.
    let peer: String?
    private let channel: any Channel

    /// What runs the connection.
    var eventLoop: any EventLoop { channel.eventLoop }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress
        channel = source.channel
    }

    /// Whether the peer is on this machine.
    var isLoopback: Bool { peer.map(Loopback.contains) ?? false }

    /// Has `receive` called when the other side hangs up; `nil` takes that back.
    func onHangUp(_ receive: (@Sendable () -> Void)?) {
        let channel = channel
        channel.eventLoop.execute {
            // Where the channel has no such handler it is closed already.
            let handler = try? channel.pipeline.syncOperations.handler(type: HangUpHandler.self)
            if let handler { handler.onHangUp(receive) } else { receive?() }
        }
    }
}
