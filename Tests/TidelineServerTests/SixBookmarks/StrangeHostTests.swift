// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TidelineTestSupport

@testable import TidelineServer

/// Who asks writes the Host field as they like: no page and no mail believes it.
struct StrangeHostTests {
    @Test(.covers("SB-F003"))
    func `a link for a password leads to no name that a stranger chose`() async throws {
        let world = try SixBookmarksWorld()
        try await world.server.application().test(.live) { client in
            let browser = PageBrowser(client)
            try await browser.open("reset")
            let secret = try #require(browser.cookies["tideline_form"])
            let form = try #require(browser.page.firstMatch(of: /name="form" value="([0-9a-f]+)"/)?.1)
            let body = "form=\(form)&Username=tideline"
            let path = "/service/sixbookmarks/reset"
            let port = try #require(client.port)
            for host in ["evil.example", "localhost.evil.example", "evil.example:80", "localhost@evil.example"] {
                let text = """
                    POST \(path) HTTP/1.1\r
                    Host: \(host)\r
                    Cookie: tideline_form=\(secret)\r
                    Content-Type: application/x-www-form-urlencoded\r
                    Content-Length: \(body.utf8.count)\r
                    Connection: close\r
                    \r
                    \(body)
                    """
                let answer = try await OwnThread.run {
                    try RawConnection.exchange(text, port: port, endsSending: false)
                }
                #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(host): \(answer)")
                #expect(answer.contains("does not go by that name"), "\(host)")
            }
            // The first mail is that of the server's own name.
            #expect(try await browser.send("reset", ["Username": "tideline"]) == .ok)
            let mail = try #require(await world.mails.next())
            #expect(mail.text.contains("http://localhost"), "\(mail.text)")
            #expect(!mail.text.contains("evil"))
        }
    }

    @Test func `a server for other machines sends links by a name that it was started with alone`() async throws {
        for names in [[], ["localhost"]] {
            let world = try SixBookmarksWorld(host: "0.0.0.0", hostNames: names)
            try await world.server.application().test(.live) { client in
                let browser = PageBrowser(client)
                try await browser.open("reset")
                let status = try await browser.send("reset", ["Username": "tideline"])
                #expect(status == (names.isEmpty ? .misdirectedRequest : .ok))
                #expect(browser.page.contains("No link can be sent from here") == names.isEmpty)
                #expect(world.log.lines.contains { $0.contains("--host-name") } == names.isEmpty)
                // What needs no link goes on.
                try await browser.open("sign-in")
                #expect(try await browser.send("sign-in", PageSafetyTests.right) == .ok)
            }
        }
    }

    @Test func `nobody registers by a name that is not the server's`() async throws {
        let world = try SixBookmarksWorld()
        try await world.server.application().test(.live) { client in
            let body = #"{"username":"mary","password":"rising tide"}"#
            let text = """
                POST /auth/sixbookmarks/register HTTP/1.1\r
                Host: evil.example\r
                Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r
                Connection: close\r
                \r
                \(body)
                """
            let port = try #require(client.port)
            let answer = try await OwnThread.run { try RawConnection.exchange(text, port: port, endsSending: false) }
            #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(answer)")
            #expect(try await client.signInSix("tideline/mary", password: "rising tide").status == .unauthorized)
        }
    }

    @Test(arguments: [
        ("127.0.0.1", [], "localhost:8080", true), ("127.0.0.1", [], "[::1]:8080", true),
        ("127.0.0.1", [], "a.localhost", true), ("127.0.0.1", [], "evil.example", false),
        ("127.0.0.1", ["six.example"], "SIX.example", true), ("0.0.0.0", [], "six.example", false),
        ("0.0.0.0", [], "localhost", false), ("0.0.0.0", ["six.example"], "six.example:8443", true),
        ("six.example", [], "six.example:8443", true), ("six.example", [], "sixXexample", false),
    ])
    func `a link leads to names of the server alone`(host: String, names: [String], authority: String, isOurs: Bool) {
        let settings = ServerSettings(host: host, hostNames: names, cores: 1)
        #expect(ServerNames(settings).canBeLinked(authority) == isOurs)
        #expect(!ServerNames(settings).canBeLinked(nil))
    }
}
