// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Keeps small what a connection takes that only listens: there may be thousands of them.
///
/// Each begins with a small buffer for what it reads, which stays as long as the connection and grows where more comes. One
/// that listens lets go of what compresses answers, too.
final class LeanConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private static let initialBytes = 512
    private static let mostBytes = 65_536

    private var compressors: [any RemovableChannelHandler]

    /// - Parameter compressors: the handlers that compress, which stand together and leave the parts of a message as they are.
    init(compressors: [any RemovableChannelHandler]) { self.compressors = compressors }

    func handlerAdded(context: ChannelHandlerContext) {
        let allocator = AdaptiveRecvByteBufferAllocator(
            minimum: Self.initialBytes,
            initial: Self.initialBytes,
            maximum: Self.mostBytes
        )
        try? context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
    }

    /// Takes out what compresses, and this, between two pieces of an answer that is not compressed.
    ///
    /// The connection's later answers are not compressed either.
    func dropCompression(from pipeline: ChannelPipeline.SynchronousOperations) {
        for handler in compressors + [self] {
            // A connection that is closed has none.
            guard let context = try? pipeline.context(handler: handler) else { continue }
            pipeline.removeHandler(context: context, promise: nil)
        }
        compressors = []
    }
}
