// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// The requests of both clients of 2010 as the book prints them, byte for byte but for passwords and tokens.
struct CapturedClientTests {
    /// What came back: the first line, the fields, the body.
    private struct Reply {
        var status: String
        var body: String

        func element(_ name: String) -> String? {
            let parts = body.components(separatedBy: "<\(name)")
            guard parts.count > 1, let start = parts[1].firstIndex(of: ">") else { return nil }
            return parts[1][start...].dropFirst().prefix { $0 != "<" }.description
        }
    }

    private static func exchange(_ lines: [String], _ body: String, port: Int) async throws -> Reply {
        let text = (lines + ["connection: close", "", body]).joined(separator: "\r\n")
        let answer = try await OwnThread.run { try RawConnection.exchange(text, port: port, endsSending: false) }
        let parts = answer.components(separatedBy: "\r\n\r\n")
        return Reply(status: String(answer.prefix(12)), body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    private struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What stands before the names of the services.
        var root: String
        var api: String
        var data: String
        /// The fields of a change beside those of every request.
        var changeFields: [String]
        var deleteFields: [String]
        /// The body of an entry with these properties.
        var body: @Sendable (_ name: String, _ url: String, _ ordinal: Int) -> String
    }

    private static let android = Form(
        testDescription: "Android",
        root: "/services/",
        api: "apirest.aspx",
        data: "Bookmarks.svc",
        changeFields: ["content-type: application/atom+xml", "content-encoding: UTF-8"],
        deleteFields: []
    ) { name, url, ordinal in
        """
        <entry xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
          xmlns="http://www.w3.org/2005/Atom">
          <content type="application/xml">
            <m:properties>
              <d:Ordinal>\(ordinal)</d:Ordinal>
              <d:Name>\(name)</d:Name>
              <d:Url>\(url)</d:Url>
            </m:properties>
          </content>
        </entry>
        """
    }

    private static let iOS = Form(
        testDescription: "iOS",
        root: "/",
        api: "apiREST.aspx",
        data: "bookmarks.svc",
        changeFields: ["content-type: application/atom+xml"],
        deleteFields: ["content-type: application/atom+xml"]
    ) { name, url, ordinal in
        let data = "xmlns:d=\"http://schemas.microsoft.com/ado/2007/08/dataservices\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><m:properties xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><d:Ordinal \(data)>\(ordinal)</d:Ordinal><d:Name \(data)>\(name)</d:Name><d:Url \(data)>\(url)</d:Url></m:properties></content></entry>
            """
    }

    @Test(.covers("SB-F034"))
    func `a bare blank ends the address and is refused, bare quotes and dollars are taken`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let port = try #require(client.client.port)
            let token = try #require(try await client.loggedOn(as: "ada").token)
            let fields = ["Host: localhost", "x-amx-apiusername: tideline", "x-amx-token: \(token)"]
            for (filter, status, count) in [
                ("Name eq 'Google'", "HTTP/1.1 400", 0), ("Name+eq+'Google'", "HTTP/1.1 200", 1),
                ("Name%20eq%20%27google%27", "HTTP/1.1 200", 0),
            ] {
                let line = "GET /services/Bookmarks.svc/Bookmark?$filter=\(filter) HTTP/1.1"
                let answer = try await Self.exchange([line] + fields, "", port: port)
                #expect(answer.status == status, "\(filter)")
                #expect(answer.body.components(separatedBy: "<entry>").count == count + 1, "\(filter)")
            }
        }
    }

    @Test(.covers("SB-F090", "SB-F094"), arguments: [android, iOS])
    private func `a client of 2010 signs in, reads, inserts, updates, deletes and signs out`(form: Form) async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let port = try #require(client.client.port)
            let host = "Host: services.multimobileddevelopment.com"
            func get(_ path: String, _ token: String?) async throws -> Reply {
                let fields = ["x-amx-apiusername: tideline"] + (token.map { ["x-amx-token: \($0)"] } ?? [])
                return try await Self.exchange(["GET \(form.root)\(path) HTTP/1.1", host] + fields, "", port: port)
            }
            let logon = try await get("\(form.api)?operation=logon&password=the%20password%20of%20tideline", nil)
            #expect(logon.status == "HTTP/1.1 200" && logon.element("HasException") == "0", "\(logon.body)")
            let token = try #require(logon.element("Token"))
            let user = try await get(
                "usersrest.aspx?operation=logon&username=ada&password=the%20password%20of%20ada",
                token
            )
            #expect(user.element("Result") == "LogonOk")
            let feed = try await get("\(form.data)/Bookmark", token)
            #expect(feed.status == "HTTP/1.1 200")
            #expect(feed.body.components(separatedBy: "<entry>").count == 4)
            #expect(feed.body.contains("<d:Ordinal m:type=\"Edm.Int32\">1</d:Ordinal>"))

            func change(_ method: String, _ path: String, _ fields: [String], _ body: String) async throws -> Reply {
                let length = body.isEmpty ? [] : ["content-length: \(body.utf8.count)"]
                let lines = ["\(method) \(form.root)\(form.data)/\(path) HTTP/1.1", host] + fields + length
                return try await Self.exchange(
                    lines + ["x-amx-apiusername: tideline", "x-amx-token: \(token)"],
                    body,
                    port: port
                )
            }
            let made = try await change(
                "POST",
                "Bookmark",
                form.changeFields,
                form.body("Apress", "http://a.example", 5)
            )
            #expect(made.status == "HTTP/1.1 201", "\(made.body)")
            let key = try #require(made.element("d:BookmarkId"))
            let updated = try await change(
                "MERGE",
                "Bookmark(\(key))",
                form.changeFields,
                form.body("Apress 2", "http://a.example/2", 4)
            )
            #expect(updated.status == "HTTP/1.1 204", "\(updated.body)")
            let deleted = try await change("DELETE", "Bookmark(1001)", form.deleteFields, "")
            #expect(deleted.status == "HTTP/1.1 204", "\(deleted.body)")
            #expect(try await get("\(form.api)?operation=logoff", token).element("HasException") == "0")
            #expect(try await get("\(form.data)/Bookmark", token).status == "HTTP/1.1 401")
        }
        #expect(
            try await world.rows() == [
                "1 .NET 247 http://www.dotnet247.com/", "2 Topaz Filer http://www.topazfiler.com/",
                "4 Apress 2 http://a.example/2",
            ]
        )
    }
}
