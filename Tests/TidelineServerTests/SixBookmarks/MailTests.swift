// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineServer

struct MailTests {
    static let mail = Mail(to: "ann@example.com", subject: "A link", text: "One\n.two\n\nthree")

    @Test func `a mail has its head, and no line of it can begin another`() {
        var mail = Self.mail
        mail.subject = "A\r\nBcc: eve@example.com"
        let lines = mail.message(from: "six@example.org", date: 1_795_439_671, id: "7").split(
            separator: "\r\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.contains("From: Six Bookmarks <six@example.org>"))
        #expect(lines.contains("To: <ann@example.com>"))
        #expect(lines.contains("Subject: ABcc: eve@example.com"))
        #expect(lines.contains("Message-ID: <7@example.org>"))
        #expect(lines.suffix(5) == ["One", ".two", "", "three", ""])
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (1_795_439_671, "Mon, 23 Nov 2026 13:14:31 +0000"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 +0000"),
    ])
    func `a date is written as mails have it`(seconds: Int64, text: String) {
        #expect(MailDate.text(seconds) == text)
    }

    @Test func `the dialogue hands a mail in, a point before each line that begins with one`() {
        var dialogue = SMTPDialogue(from: "six@example.org", to: "ann@example.com", message: "H: x\r\n\r\n.a\r\nb\r\n")
        #expect(dialogue.receive("220-first") == .wait)
        #expect(dialogue.receive("220 mail.example.org ESMTP") == .send("EHLO localhost\r\n"))
        #expect(dialogue.receive("250-SIZE 1000") == .wait)
        #expect(dialogue.receive("250 8BITMIME") == .send("MAIL FROM:<six@example.org>\r\n"))
        #expect(dialogue.receive("250 2.1.0 Ok") == .send("RCPT TO:<ann@example.com>\r\n"))
        #expect(dialogue.receive("250 2.1.5 Ok") == .send("DATA\r\n"))
        #expect(dialogue.receive("354 go on") == .send("H: x\r\n\r\n..a\r\nb\r\n.\r\n"))
        #expect(dialogue.receive("250 2.0.0 Ok") == .done("QUIT\r\n"))
    }

    @Test func `a no of the mail server ends it`() {
        var dialogue = SMTPDialogue(from: "a@b.c", to: "d@e.f", message: "")
        #expect(dialogue.receive("220 hello") == .send("EHLO localhost\r\n"))
        #expect(dialogue.receive("550 5.7.1 no") == .refused("550 5.7.1 no"))
        #expect(dialogue.receive("nonsense") == .refused("nonsense"))
    }

    @Test(arguments: [
        ("smtp://127.0.0.1", "127.0.0.1", 25), ("smtp://localhost:2525/", "localhost", 2525),
        ("smtp://[::1]:26", "::1", 26),
        ("SMTP://[::1]", "::1", 25),
    ])
    func `an address of a mail server is read`(text: String, host: String, port: Int) throws {
        let address = try #require(SMTPAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "", "127.0.0.1", "smtp://mail.example", "smtp://ann@127.0.0.1", "smtp://", "smtp://127.0.0.1:0",
        "http://127.0.0.1",
    ])
    func `a mail server elsewhere is none`(text: String) {
        #expect(SMTPAddress(text) == nil)
    }

    @Test(arguments: ["ann@example.com", "a.b+c@x-y.example", "a@b.c"])
    func `an address is one`(text: String) {
        #expect(MailAddress.isAddress(text))
    }

    @Test(arguments: [
        "", "a", "a@b", "a@b.", "@b.c", "a@@b.c", "a b@c.d", "a@b.c\r\nBcc: x@y.z", "a@-b.c", "ä@b.c", "a>@b.c",
    ])
    func `what could be no address, or end a line, is none`(text: String) {
        #expect(!MailAddress.isAddress(text))
    }
}
