// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A mail of plain text.
public struct Mail: Hashable, Sendable {
    /// The address; no line break stands in it.
    public var to: String
    public var subject: String
    public var text: String

    public init(to: String, subject: String, text: String) {
        self.to = to
        self.subject = subject
        self.text = text
    }

    /// The mail as it travels, lines ended by CR LF.
    ///
    /// Source: RFC 5322, sections 2.1 and 3.6; RFC 2045 for the text.
    ///
    /// - Parameters:
    ///   - date: in seconds after 1970-01-01T00:00:00Z.
    ///   - id: what no other mail of the sender has.
    func message(from: String, date: Int64, id: String) -> String {
        let domain = from.split(separator: "@").last ?? "localhost"
        let head = [
            "From: Six Bookmarks <\(Self.line(from))>", "To: <\(Self.line(to))>", "Subject: \(Self.line(subject))",
            "Date: \(MailDate.text(date))", "Message-ID: <\(id)@\(Self.line(String(domain)))>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit",
            "Auto-Submitted: auto-generated",
        ]
        let body = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (head + [""] + body.map(String.init)).joined(separator: "\r\n") + "\r\n"
    }

    /// What stands in a line of the head: nothing that could begin another one.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
