// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Keeps small what a connection takes that only listens: there may be thousands of them.
///
/// Each begins with a small buffer for what it reads, which stays as long as the connection and grows where more comes. One
/// that listens lets go of what compresses answers until it answers something else.
final class LeanConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private static let initialBytes = 512
    private static let mostBytes = 65_536

    private let make: () -> [any RemovableChannelHandler]
    /// Those that stand behind this one.
    private var compressors: [any RemovableChannelHandler] = []

    /// - Parameter compressors: makes the handlers that compress, which leave the parts of a message as they are.
    init(compressors make: @escaping () -> [any RemovableChannelHandler]) { self.make = make }

    func handlerAdded(context: ChannelHandlerContext) {
        let allocator = AdaptiveRecvByteBufferAllocator(
            minimum: Self.initialBytes,
            initial: Self.initialBytes,
            maximum: Self.mostBytes
        )
        try? context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        setCompression(true, in: context.pipeline.syncOperations)
    }

    /// Takes out what compresses or puts it back, between two pieces of an answer that is not compressed.
    func setCompression(_ isOn: Bool, in pipeline: ChannelPipeline.SynchronousOperations) {
        if isOn, compressors.isEmpty {
            let made = make()
            // A connection that is closed needs none.
            if (try? pipeline.addHandlers(made, position: .after(self))) != nil { compressors = made }
        } else if !isOn {
            for handler in compressors {
                guard let context = try? pipeline.context(handler: handler) else { continue }
                pipeline.removeHandler(context: context, promise: nil)
            }
            compressors = []
        }
    }
}
