// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What sends mails: a mail server, or for a trial a folder.
public protocol MailSender: Sendable {
    /// Sends a mail, or throws where that cannot be done.
    func send(_ mail: Mail) async throws
}
