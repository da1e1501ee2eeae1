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
    /// What runs the connection.
    let eventLoop: any EventLoop

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress
        eventLoop = source.channel.eventLoop
    }

    /// Whether the peer is on this machine.
    var isLoopback: Bool { peer.map(Loopback.contains) ?? false }
}
