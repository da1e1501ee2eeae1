// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineServer

/// Keeps the mails that a server sends, and lets a test wait for the next one.
final class MailRecorder: MailSender {
    private let stream: AsyncStream<Mail>
    private let continuation: AsyncStream<Mail>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send(_ mail: Mail) async throws { continuation.yield(mail) }

    /// The next mail.
    func next() async -> Mail? {
        for await mail in stream { return mail }
        return nil
    }
}
