// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineService

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes mails into a folder, for a trial without a mail server: `<time>-<number>.eml`, for the owner alone.
public struct MailFolder: MailSender {
    private let path: String

    /// - Parameter path: the folder; it is made with the first mail.
    public init(path: String) { self.path = path }

    public func send(_ mail: Mail) async throws {
        try DataDirectory.makeFolder(path, mode: 0o700)
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        var generator = SystemRandomNumberGenerator()
        let id = "\(time.tv_sec)-\(UInt32.random(in: .min ... .max, using: &generator))"
        let text = mail.message(from: "tideline@localhost", date: Int64(time.tv_sec), id: id)
        try AtomicFile.write(text.utf8, to: "\(path)/\(id).eml", permissions: 0o600)
    }
}
