// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TidelineAccounts
import TidelineModel
import TidelineOData
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// The service of bookmarks, read.
struct BookmarksReadingTests {
    /// The declaration of documents that were printed without one.
    private static let declaration = #"<?xml version="1.0" encoding="utf-8" standalone="yes"?>"#

    /// The text of an answer, in the host and at the time of the vectors.
    private static func told(_ answer: TestResponse) -> String {
        printed(answer.text)
            .replacing(#/(localhost|127\.0\.0\.1)(:\d+)?/#, with: BookmarksVectors.host)
            .replacing(#/<updated>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ</#, with: "<updated>2010-04-18T10:54:32Z<")
    }

    /// A document byte for byte, but for the line breaks between its elements: the print has some of them on a line.
    private static func printed(_ document: String) -> String { document.replacing(#/\n */#, with: "") }

    @Test(.covers("SB-F030"))
    func `the service document names the one collection`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/atomsvc+xml;charset=utf-8")
            #expect(Self.told(answer) == Self.printed(BookmarksVectors.service))
            #expect(try await ada.get("bookmarks.svc").status == .ok)
        }
    }

    @Test(.covers("SB-F031", "SB-F096"))
    func `the feed is the user's bookmarks, as the vector has it`() async throws {
        let world = try BookmarksWorld()
        try world.six.run("DELETE FROM Bookmarks WHERE BookmarkId IN (1001, 1003)")
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/Bookmark", [.acceptCharset: "ISO-8859-1,utf-8;q=0.7"])
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/atom+xml;type=feed;charset=iso-8859-1")
            let name = try #require(HTTPField.Name("DataServiceVersion"))
            #expect(answer.headers[name] == "1.0;")
            #expect(Self.told(answer) == Self.printed(BookmarksVectors.feed))
        }
    }

    @Test(.covers("SB-F031", "SB-F037"))
    func `the feed has nobody else's bookmarks, at both roots`() async throws {
        try await BookmarksWorld().run { client in
            for (user, keys) in [("ada", ["1001", "1002", "1003"]), ("grace", ["10020", "10021", "10022"])] {
                var logged = try await client.loggedOn(as: user)
                for root in ["/services", ""] {
                    logged.root = root
                    #expect(try await logged.get("BOOKMARKS.SVC/Bookmark").texts("BookmarkId") == keys)
                }
            }
            var other = client
            other.account = "other"
            let theirs = try await other.loggedOn(as: "ada").get("bookmarks.svc/Bookmark")
            #expect(theirs.texts("BookmarkId") == ["20010", "20011", "20012"])
        }
    }

    @Test(.covers("SB-F032"))
    func `one bookmark is an entry of its own, and an unknown key and another's are 404`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/Bookmark(1003)")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/atom+xml;type=entry;charset=utf-8")
            #expect(answer.headers[.eTag] != nil)
            #expect(Self.told(answer) == Self.declaration + Self.printed(BookmarksVectors.entry))
            // 10020 is grace's.
            for key in ["9999", "10020"] {
                let absent = try await ada.get("bookmarks.svc/Bookmark(\(key))")
                #expect(absent.status == .notFound)
                #expect(absent.element("message") == "Resource not found for the segment 'Bookmark'.")
                #expect(absent.headers[.contentType] == "application/xml;charset=utf-8")
            }
            #expect(try await ada.get("bookmarks.svc/Bookmark(1003)/Name").element("Name") == "Topaz Filer")
            #expect(try await ada.get("bookmarks.svc/Bookmark(1003)/Name/$value").text == "Topaz Filer")
        }
    }

    @Test(.covers("SB-F033"))
    func `the metadata document is that of the vector`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/$metadata")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/xml;charset=utf-8")
            #expect(Self.told(answer) == Self.declaration + Self.printed(BookmarksVectors.metadata))
            #expect(try await ada.send(.delete, "bookmarks.svc/$metadata").status == .methodNotAllowed)
        }
    }

    @Test(
        .covers("SB-F034"),
        arguments: [
            // The letters of eq are those of the value: OData's rule, and that of every query of the domain.
            ("$filter=Name%20eq%20'Google'", ["1001"]), ("$filter=Name%20eq%20'google'", []),
            ("$filter=Name+eq+'Google'", ["1001"]), ("$filter=Name%20eq%20%27Google%27", ["1001"]),
            ("%24filter=Name%20eq%20'Google'", ["1001"]),
            ("$filter=tolower(Name)%20eq%20'google'", ["1001"]),
            ("$filter=Ordinal%20eq%201%20or%20Name%20eq%20'Google'", ["1001", "1002"]),
            ("$filter=substringof('Topaz',Name)", ["1003"]),
            ("$filter=Name%20eq%20'it''s'", []),
            // Another's, asked for by name.
            ("$filter=UserId%20eq%201002", []),
        ] as [(String, [String])]
    )
    func `a filter keeps what it says, and nothing of others`(query: String, keys: [String]) async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/Bookmark?\(query)")
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.texts("BookmarkId") == keys)
        }
    }

    @Test(
        .covers("SB-F035"),
        arguments: [
            ("$orderby=Name", ["1002", "1001", "1003"]), ("$orderby=Ordinal%20desc", ["1003", "1002", "1001"]),
            ("$orderby=Ordinal&$top=2", ["1001", "1002"]), ("$orderby=Ordinal&$skip=1&$top=1", ["1002"]),
            ("$select=BookmarkId", ["1001", "1002", "1003"]), ("$inlinecount=allpages&$top=1", ["1001"]),
        ]
    )
    func `the other options of version 2 do what they do everywhere`(query: String, keys: [String]) async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/Bookmark?\(query)")
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.texts("BookmarkId") == keys)
            if query.contains("$select") { #expect(answer.texts("Name").isEmpty) }
            #expect(answer.texts("count") == (query.contains("inlinecount") ? ["3"] : []))
        }
    }

    @Test(.covers("SB-F035"))
    func `a count is a number as text, and what the service has not is refused by name`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            #expect(try await ada.get("bookmarks.svc/Bookmark/$count").text == "3")
            let filtered = try await ada.get("bookmarks.svc/Bookmark/$count?$filter=Ordinal%20gt%200")
            #expect(filtered.text == "2")
            for (query, status) in [
                ("$expand=User", HTTPResponse.Status.badRequest), ("$search=x", .notImplemented),
                ("$orderby=Nothing", .badRequest), ("$filter=Name%20eq", .badRequest), ("$top=-1", .badRequest),
            ] {
                let answer = try await ada.get("bookmarks.svc/Bookmark?\(query)")
                #expect(answer.status == status, "\(query): \(answer.text)")
                #expect(answer.element("message")?.isEmpty == false)
                #expect(answer.element("code")?.isEmpty == false)
            }
            #expect(try await ada.send(.post, "bookmarks.svc/$batch", "x").status == .notImplemented)
        }
    }

    @Test(.covers("SB-F036"))
    func `an unknown segment is told by the document of 2010, to the byte`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/SBBookmark")
            #expect(answer.status == .notFound)
            #expect(answer.text == BookmarksVectors.unknownSegment)
            for (path, segment) in [
                ("SBBookmark(1)", "SBBookmark"), ("bookmark", "bookmark"), ("Bookmarks", "Bookmarks"),
                ("Users", "Users"), ("Bookmark(1001)/Nothing", "Nothing"), ("Bookmark(1001)/User", "User"),
            ] {
                let answer = try await ada.get("bookmarks.svc/\(path)")
                #expect(answer.status == .notFound)
                #expect(answer.element("message") == "Resource not found for the segment '\(segment)'.")
            }
        }
    }

    @Test(.covers("SB-F046"))
    func `JSON is answered to who asks for it`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.get("bookmarks.svc/Bookmark(1001)", [.accept: "application/json"])
            #expect(answer.status == .ok)
            let entity = try #require(answer.json["d"] as? [String: Any])
            #expect(entity["Name"] as? String == "Google")
            #expect(entity["Ordinal"] as? Int == 0)
            let about = try #require(entity["__metadata"] as? [String: Any])
            #expect(about["type"] as? String == "AmxMobile.Services.Bookmark")
            #expect((about["uri"] as? String)?.hasSuffix("/services/Bookmarks.svc/Bookmark(1001)") == true)
            let name = try #require(HTTPField.Name("DataServiceVersion"))
            #expect(answer.headers[name] == "2.0;")
            let feed = try await ada.get("bookmarks.svc/Bookmark?$format=json&$orderby=Ordinal")
            let results = (feed.json["d"] as? [String: Any])?["results"] as? [[String: Any]]
            #expect(results?.compactMap { $0["Ordinal"] as? Int } == [0, 1, 2])
            let error = try await ada.get("bookmarks.svc/Nothing", [.accept: "application/json"])
            let message = (error.json["error"] as? [String: Any])?["message"] as? [String: Any]
            #expect(message?["value"] as? String == "Resource not found for the segment 'Nothing'.")
        }
    }

    @Test(.covers("SB-F016", "SB-S09"))
    func `without the headers, with a token of nobody or of another account, nothing is read`() async throws {
        try await BookmarksWorld().run { client in
            let account = try await client.loggedOn()
            let ada = try await client.loggedOn(as: "ada")
            var strange = ada
            strange.account = "other"
            var nameless = ada
            nameless.account = nil
            var long = ada
            long.token = String(repeating: "a", count: 5000)
            for (asking, code) in [
                (client, "MissingHeaders"), (nameless, "MissingHeaders"), (account, "NoUser"),
                (strange, "InvalidToken"), (long, "InvalidToken"),
            ] {
                for path in ["Bookmark", "Bookmark(1001)", "", "$metadata"] {
                    let answer = try await asking.get("bookmarks.svc/\(path)")
                    #expect(answer.status == .unauthorized)
                    #expect(answer.element("code") == code, "\(path)")
                    #expect(answer.headers[.wwwAuthenticate] == "AmxToken realm=\"sixbookmarks\"")
                }
            }
        }
    }

    @Test(.covers("SB-S09"))
    func `a user who is not active any more loses the token`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            try world.six.run("UPDATE Users SET IsActive = 0 WHERE UserId = 1001")
            #expect(try await ada.get("bookmarks.svc/Bookmark").status == .unauthorized)
            try world.six.run("UPDATE Users SET IsActive = 1 WHERE UserId = 1001")
            // Taken back, and not only refused.
            #expect(try await ada.get("bookmarks.svc/Bookmark").status == .unauthorized)
        }
    }

    @Test(.covers("SB-S09"), arguments: ["users", "accounts"])
    func `a new password takes back the tokens of before`(name: String) async throws {
        let world = try BookmarksWorld()
        let directory = try world.six.directory(name)
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let id = name == "users" ? Value.integer(1001) : .integer(1)
            try world.six.accounts.setPassword("another password", id: id, directory: directory)
            #expect(try await ada.get("bookmarks.svc/Bookmark").status == .unauthorized)
        }
    }
}
