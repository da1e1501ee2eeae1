// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing
import TidelineAccounts
import TidelineModel
import TidelineOData
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// What nobody sends who means well.
struct BookmarksHostileTests {
    @Test(
        .covers("SB-S11"),
        arguments: [
            #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>"#,
            #"<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>"#, #"<!DOCTYPE x SYSTEM "http://127.0.0.1/x">"#,
        ]
    )
    func `a document type declaration is refused, and nothing of it is read`(declaration: String) async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let entry = BookmarksVectors.entry([("Ordinal", "5"), ("Name", "&a;")])
            for body in [declaration + entry, entry] {
                let answer = try await ada.post(body)
                #expect(answer.status == .badRequest)
                #expect(answer.element("code") == "InvalidBody")
            }
        }
        #expect(try await world.rows().count == 3)
    }

    @Test(
        .covers("SB-S11"),
        arguments: [
            "", "x", "<entry", "{}", "<entry xmlns=\"http://www.w3.org/2005/Atom\"/>",
            String(repeating: "<a>", count: 2_000), "<?xml version=\"1.0\"?>", "\u{0}\u{1}",
            BookmarksVectors.insert.replacingOccurrences(of: "</entry>", with: ""),
            BookmarksVectors.insert.replacingOccurrences(of: "2005/Atom", with: "2006/Atom"),
        ]
    )
    func `what is no entry stores nothing and is told in a sentence`(body: String) async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.post(body)
            #expect(answer.status == .badRequest, "\(answer.status) \(answer.text)")
            #expect(answer.element("message")?.isEmpty == false)
        }
        #expect(try await world.rows().count == 3)
    }

    @Test(arguments: ["Name", "Url", "property"])
    func `ten kilobytes of a name are refused in few words`(place: String) async throws {
        let world = try BookmarksWorld()
        let long = String(repeating: "n", count: 10_240)
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let properties = [("Ordinal", "5"), (place == "property" ? long : place, place == "property" ? "x" : long)]
            let answer = try await ada.post(BookmarksVectors.entry(properties))
            #expect(answer.status == .badRequest)
            #expect(answer.element("message")?.isEmpty == false)
            #expect(answer.body.readableBytes < 1_000)
            let user = try await ada.logOn(long)
            #expect(user.element("Result") == "InvalidUsername" && user.body.readableBytes < 1_000)
            #expect(try await ada.get("bookmarks.svc/\(long)").body.readableBytes < 1_000)
        }
        #expect(try await world.rows().count == 3)
    }

    @Test func `a script in a name is kept as text, and told as text`() async throws {
        let world = try BookmarksWorld()
        let script = "<script>alert(1)</script>"
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let escaped = "&lt;script>alert(1)&lt;/script>"
            let answer = try await ada.post(BookmarksVectors.entry([("Ordinal", "5"), ("Name", escaped)]))
            #expect(answer.status == .created && answer.element("Name") == script)
            #expect(!answer.text.contains("<script") && answer.headers[.xContentTypeOptions] == "nosniff")
            let wrong = try await ada.get("bookmarks.svc/%3Cscript%3E")
            #expect(wrong.status == .notFound && !wrong.text.contains("<script"))
        }
    }

    @Test func `a body of a hundred megabytes is refused before it comes, and a stranger's unread`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let port = try #require(client.client.port)
            for (token, status) in [(ada.token ?? "", 413), (String(repeating: "0", count: 32), 401)] {
                let head = """
                    POST /services/Bookmarks.svc/Bookmark HTTP/1.1\r
                    Host: 127.0.0.1\r
                    content-type: application/atom+xml\r
                    content-length: 100000000\r
                    expect: 100-continue\r
                    x-amx-apiusername: tideline\r
                    x-amx-token: \(token)\r
                    \r

                    """
                let answer = try await OwnThread.run {
                    try RawConnection.exchange(head, port: port, endsSending: false)
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(!answer.contains("100 Continue"))
                #expect(answer.contains("<error xmlns="))
            }
        }
    }

    @Test(.covers("SB-S09"))
    func `a token that was logged off or has run out is replayed in vain`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            _ = try await ada.get("apirest.aspx?operation=logoff")
            for path in ["bookmarks.svc/Bookmark", "bookmarks.svc/Bookmark(1001)"] {
                #expect(try await ada.get(path).status == .unauthorized)
            }
            #expect(try await ada.post(BookmarksVectors.insert).status == .unauthorized)
        }
        #expect(try await world.rows().count == 3)
    }

    @Test(.covers("SB-F037"), arguments: ["PATCH", "MERGE", "PUT", "DELETE"])
    func `the whole set takes no change, in whatever form`(method: String) async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let delta = #"{"value":[{"UserId":1001,"Name":"x","Url":"http://x.example","Ordinal":4}]}"#
            for path in ["Bookmark", "Bookmark/", "Bookmark()", "Bookmark%28%29"] {
                let verb = try #require(HTTPRequest.Method(method))
                let answer = try await ada.send(verb, "Bookmarks.svc/\(path)", delta, type: "application/json")
                #expect(answer.status == .methodNotAllowed, "\(path) \(answer.status) \(answer.text)")
                #expect(answer.headers[.allow] == "GET, HEAD, POST, OPTIONS", "\(path)")
                #expect(answer.element("code") == "MethodNotAllowed")
                // Carried by a POST, it is told by its own name all the same.
                let field = try #require(HTTPField.Name("X-HTTP-Method"))
                let carried = try await ada.send(
                    .post,
                    "Bookmarks.svc/\(path)",
                    delta,
                    type: "application/json",
                    fields: [field: method]
                )
                #expect(carried.status == .methodNotAllowed)
                let told = "\(method) is not for the whole of Bookmark, which takes GET and POST."
                for text in [answer.text, carried.text] { #expect(text.contains(told), "\(text)") }
            }
            let options = try await ada.send(.options, "Bookmarks.svc/Bookmark")
            #expect(options.headers[.allow] == "GET, HEAD, POST, OPTIONS")
            // One bookmark is meant by its key, however that is encoded.
            let name = BookmarksVectors.entry([("Name", "one")])
            #expect(try await ada.merge("Bookmarks.svc/Bookmark%281001%29", name).status == .noContent)
        }
        #expect(try await world.rows().count == 3)
    }

    @Test(.covers("SB-F038", "SB-F037"))
    func `a slash at the end says nothing: the owner is the token's user all the same`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let entry = BookmarksVectors.entry([("Name", "a"), ("Url", "http://a.example"), ("Ordinal", "4")])
            let made = try await ada.send(.post, "Bookmarks.svc/Bookmark/", entry, type: BookmarksClient.entry)
            #expect(made.status == .created, "\(made.text)")
            #expect(made.element("UserId") == "1001")
            let forged = BookmarksVectors.entry([("UserId", "1002"), ("Name", "b")])
            #expect(try await ada.merge("Bookmarks.svc/Bookmark(1001)/", forged).status == .noContent)
            #expect(try await ada.get("Bookmarks.svc/Bookmark(1001)").element("UserId") == "1001")
        }
    }

    @Test func `without the domain's word there is no door`() async throws {
        let world = try SixBookmarksWorld()
        try await world.server.application().test(.live) { client in
            let client = BookmarksClient(client: client)
            for path in ["apirest.aspx?operation=logon&password=x", "bookmarks.svc/", "usersrest.aspx"] {
                let answer = try await client.get(path)
                #expect(answer.status == .notFound)
                #expect(!answer.text.contains("AmxResponse") && !answer.text.contains("metadata"))
            }
        }
    }

    @Test(
        .covers("SB-S01"),
        arguments: [
            (true, false, SixBookmarksCompatibility.Reach.loopback, true), (false, false, .loopback, false),
            (false, true, .loopback, false), (false, false, .everywhere, false), (false, true, .everywhere, true),
        ]
    )
    func `from another machine there is a way over TLS alone, where the domain says so`(
        isLoopback: Bool,
        isSecure: Bool,
        reach: SixBookmarksCompatibility.Reach,
        isOpen: Bool
    ) {
        let log = LogRecorder()
        let logger = Logger(label: "test", factory: { _ in LogRecorder.Handler(recorder: log) })
        let gate = BookmarksGate(isSecure: isSecure, logger: logger)
        var settings = SixBookmarksCompatibility(set: "Bookmarks", owner: "UserId", accounts: "a", users: "u")
        settings.reach = reach
        var fault: BookmarksFault?
        do {
            try gate.check(settings, domain: "six", isLoopback: isLoopback)
        } catch {
            fault = error
        }
        #expect(fault == (isOpen ? nil : .tooFar))
        #expect(log.lines.contains { $0.hasPrefix("warning INSECURE") } == !isOpen)
    }

    @Test func `a domain that opens with the door is marked in the log and on the first page`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            _ = try await client.get("apirest.aspx")
            let lines = world.six.log.lines.filter { $0.contains("INSECURE") }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("domain=sixbookmarks") == true)
            let page = try await client.client.get("/")
            #expect(page.text.contains("<span class=\"tag\">Insecure</span>"))
            #expect(page.text.contains("those of Six Bookmarks of 2010 send passwords in addresses"))
        }
    }
}
