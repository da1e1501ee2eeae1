// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import TidelineOData

/// Answers bytes that are no HTTP with 400, header fields without end with 431, and closes the connection.
///
/// It stands before the compressor, which must never see an answer without a request.
final class ProtocolErrorHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests whose answers are not complete.
    private var open = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { open += 1 }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { open -= 1 }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError || error is HTTP1TypeConversionError else {
            context.fireErrorCaught(error)
            return
        }
        // In the middle of another answer nothing sensible can be said.
        if open == 0 {
            var isTooLarge = false
            if case .headerOverflow? = error as? HTTPParserError { isTooLarge = true }
            let body = ErrorBody.write(
                isTooLarge
                    ? ODataError(
                        .tooComplex,
                        "The address or the header fields are longer than 80 KiB, or there are 1,000 fields or more. "
                            + "A long query is sent by POST to the address and /$query."
                    ) : ODataError(.invalidURL, "The request is not well-formed HTTP.")
            )
            let head = HTTPResponse(
                status: isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest,
                headerFields: [
                    .contentType: "application/json", .contentLength: "\(body.count)", .connection: "close",
                ]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        } else {
            // Or who reads the body would take this end for its own.
            context.fireErrorCaught(error)
        }
        context.close(promise: nil)
    }
}
