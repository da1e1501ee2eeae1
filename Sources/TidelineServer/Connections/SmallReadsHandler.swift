// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Has a connection begin with a small buffer for what it reads: the buffer stays as long as the connection, most of which
/// only listen, and it grows where more comes.
///
/// Gone as soon as that is set.
final class SmallReadsHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private static let initialBytes = 512
    private static let mostBytes = 65_536

    func handlerAdded(context: ChannelHandlerContext) {
        let allocator = AdaptiveRecvByteBufferAllocator(
            minimum: Self.initialBytes,
            initial: Self.initialBytes,
            maximum: Self.mostBytes
        )
        try? context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
