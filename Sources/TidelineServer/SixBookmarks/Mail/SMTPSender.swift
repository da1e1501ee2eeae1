// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Hands mails in at a mail server.
public struct SMTPSender: MailSender {
    /// Why a mail was not taken.
    struct Refused: Error, CustomStringConvertible {
        /// What the server said last.
        var description: String
    }

    private let address: SMTPAddress
    private let from: String
    private let timeout: TimeAmount = .seconds(30)

    /// - Parameters:
    ///   - address: of the mail server.
    ///   - from: the address of the sender.
    public init(_ address: SMTPAddress, from: String) {
        self.address = address
        self.from = from
    }

    public func send(_ mail: Mail) async throws {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        let id = "\(time.tv_sec).\(FormGuard.secret().prefix(16))"
        let dialogue = SMTPDialogue(
            from: from,
            to: mail.to,
            message: mail.message(from: from, date: Int64(time.tv_sec), id: id)
        )
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let end = loop.makePromise(of: Void.self)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(timeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(SMTPHandler(dialogue: dialogue, end: end))
            }
        }
        let channel: any Channel
        do {
            channel = try await bootstrap.connect(host: address.host, port: address.port).get()
        } catch {
            end.fail(error)
            try await end.futureResult.get()
            return
        }
        let limit = loop.scheduleTask(in: timeout) {
            end.fail(Refused(description: "The mail server does not answer."))
        }
        defer {
            limit.cancel()
            channel.close(promise: nil)
        }
        try await end.futureResult.get()
    }
}

/// Takes the server's lines to the dialogue, and what it says to the server.
private final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: SMTPDialogue
    private let end: EventLoopPromise<Void>
    private var text: [UInt8] = []

    init(dialogue: SMTPDialogue, end: EventLoopPromise<Void>) {
        self.dialogue = dialogue
        self.end = end
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += unwrapInboundIn(data).readableBytesView
        guard text.count < 64 * 1024 else { return fail("The mail server says too much.") }
        while let feed = text.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: text[..<feed].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            text.removeSubrange(...feed)
            switch dialogue.receive(line) {
            case .wait: break
            case .send(let answer): write(answer, context)
            case .done(let last):
                write(last, context)
                end.succeed()
            case .refused(let line): fail(String(line.prefix(200)))
            }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { fail("The mail server hung up.") }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end.fail(error)
        context.close(promise: nil)
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    private func fail(_ what: String) { end.fail(SMTPSender.Refused(description: what)) }
}
