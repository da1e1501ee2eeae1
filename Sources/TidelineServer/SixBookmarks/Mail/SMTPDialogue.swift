// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a mail server and its client say to each other for one mail, without the connection: lines in, bytes out.
///
///     220 ─► EHLO ─► 250 ─► MAIL FROM ─► 250 ─► RCPT TO ─► 250 ─► DATA ─► 354 ─► message ─► 250 ─► QUIT
///
/// Source: RFC 5321, sections 3.3, 4.2 and 4.5.2.
struct SMTPDialogue {
    /// What a line of the server leads to.
    enum Step: Equatable {
        /// The answer goes on with its next line.
        case wait
        case send(String)
        /// The mail is accepted; the last words, and the end.
        case done(String)
        /// The server said no; its line.
        case refused(String)
    }

    private enum State { case greeting, hello, from, to, data, message }

    private let from: String
    private let to: String
    private let message: String
    private var state = State.greeting

    /// - Parameter message: lines ended by CR LF.
    init(from: String, to: String, message: String) {
        self.from = from
        self.to = to
        self.message = message
    }

    /// - Parameter line: a line of the server without its end.
    mutating func receive(_ line: String) -> Step {
        guard line.utf8.count >= 3, let code = Int(line.prefix(3)) else { return .refused(line) }
        if line.utf8.dropFirst(3).first == UInt8(ascii: "-") { return .wait }
        let wanted = state == .data ? 354 : state == .greeting ? 220 : 250
        guard code == wanted || state == .to && code == 251 else { return .refused(line) }
        switch state {
        case .greeting:
            state = .hello
            return .send("EHLO localhost\r\n")
        case .hello:
            state = .from
            return .send("MAIL FROM:<\(from)>\r\n")
        case .from:
            state = .to
            return .send("RCPT TO:<\(to)>\r\n")
        case .to:
            state = .data
            return .send("DATA\r\n")
        case .data:
            state = .message
            return .send(Self.stuffed(message) + ".\r\n")
        case .message: return .done("QUIT\r\n")
        }
    }

    /// A line that begins with a point gets another one: a point alone ends the mail.
    private static func stuffed(_ message: String) -> String {
        let lines = message.split(separator: "\r\n", omittingEmptySubsequences: false)
        return lines.map { $0.hasPrefix(".") ? "." + $0 : String($0) }.joined(separator: "\r\n")
    }
}
