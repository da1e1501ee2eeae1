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

/// The service of bookmarks, written.
struct BookmarksWritingTests {
    @Test(.covers("SB-F038", "SB-W24"))
    func `an insert is answered 201 with its address and the entry, and is the token's user's`() async throws {
        let world = try BookmarksWorld()
        #expect(BookmarksVectors.insert.utf8.count == 384)
        try world.six.run("DELETE FROM Bookmarks WHERE BookmarkId = 1001")
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.send(
                .post,
                "Bookmarks.svc/Bookmark",
                BookmarksVectors.insert,
                type: BookmarksClient.entry,
                fields: [.contentEncoding: "UTF-8", .accept: BookmarksClient.entry]
            )
            #expect(answer.status == .created)
            let key = try #require(answer.element("BookmarkId"))
            #expect(answer.headers[.location]?.hasSuffix("/services/Bookmarks.svc/Bookmark(\(key))") == true)
            #expect(answer.element("id") == answer.headers[.location])
            #expect(answer.element("UserId") == "1001")
            #expect(answer.element("Ordinal") == "0" && answer.element("Name") == "Apress")
            #expect(try await ada.get("bookmarks.svc/Bookmark(\(key))").element("Url") == "http://www.apress.com")
        }
        #expect(try await world.rows().first == "0 Apress http://www.apress.com")
    }

    @Test(.covers("SB-F038", "SB-F037"))
    func `a forged owner and a forged key are replaced, and the owner is told in the log`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let forged = BookmarksVectors.entry([
                ("BookmarkId", "10020"), ("UserId", "1002"), ("Ordinal", "4"), ("Name", "mine"),
                ("Url", "https://a.example"),
            ])
            let answer = try await ada.post(forged)
            #expect(answer.status == .created)
            #expect(answer.element("UserId") == "1001" && answer.element("BookmarkId") != "10020")
            #expect(world.six.log.lines.contains { $0.contains("named another user as its owner") })
            let grace = try await client.loggedOn(as: "grace")
            #expect(try await grace.get("bookmarks.svc/Bookmark").texts("Name") == ["Mark 0", "Mark 1", "Mark 2"])
            // Nor does an update hand a bookmark over, or reach for another's.
            let given = BookmarksVectors.entry([("UserId", "1002"), ("Name", "given")])
            #expect(try await ada.merge("bookmarks.svc/Bookmark(1001)", given).status == .noContent)
            #expect(try await ada.get("bookmarks.svc/Bookmark(1001)").element("UserId") == "1001")
            for key in [10020, 9999] {
                let path = "bookmarks.svc/Bookmark(\(key))"
                let change = BookmarksVectors.entry([("Name", "taken"), ("Ordinal", "5")])
                #expect(try await ada.merge(path, change).status == .notFound)
                #expect(try await ada.send(.put, path, change, type: BookmarksClient.entry).status == .notFound)
                #expect(try await ada.send(.delete, path).status == .notFound)
            }
            #expect(try await grace.get("bookmarks.svc/Bookmark(10020)").element("Name") == "Mark 0")
        }
    }

    @Test(.covers("SB-F039"))
    func `a MERGE changes what it names and keeps the rest`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let answer = try await ada.merge("Bookmarks.svc/Bookmark(1002)", BookmarksVectors.entry([("Name", "net")]))
            #expect(answer.status == .noContent && answer.body.readableBytes == 0)
        }
        #expect(try await world.rows()[1] == "1 net http://www.dotnet247.com/")
    }

    @Test(.covers("SB-F040"))
    func `a PUT replaces: what it leaves out goes back to the default`() async throws {
        let world = try BookmarksWorld()
        try world.six.run("DELETE FROM Bookmarks WHERE BookmarkId = 1001")
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let body = BookmarksVectors.entry([("Name", "net")])
            let answer = try await ada.send(.put, "Bookmarks.svc/Bookmark(1002)", body, type: BookmarksClient.entry)
            #expect(answer.status == .noContent, "\(answer.text)")
            let entry = try await ada.get("Bookmarks.svc/Bookmark(1002)")
            #expect(entry.element("Name") == "net" && entry.element("Ordinal") == "0")
            #expect(entry.element("UserId") == "1001")
            // Null, and told so.
            #expect(entry.text.contains("<d:Url m:null=\"true\" />"))
        }
    }

    @Test(.covers("SB-F041"))
    func `a DELETE removes and has no body, and again it is 404`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            // One client sends a type and no body.
            let first = try await ada.send(.delete, "bookmarks.svc/Bookmark(1001)", type: BookmarksClient.entry)
            #expect(first.status == .noContent && first.body.readableBytes == 0)
            #expect(try await ada.send(.delete, "bookmarks.svc/Bookmark(1001)").status == .notFound)
        }
        #expect(try await world.rows().count == 2)
    }

    @Test(.covers("SB-F042", "SB-W34"), arguments: [true, false])
    func `an unknown property is refused or ignored, as the domain says`(isIgnored: Bool) async throws {
        let world = try BookmarksWorld { $0.unknownProperties = isIgnored ? .ignored : .refused }
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let properties = [("Ordinal", "3"), ("Name", "n"), ("Url", "https://n.example"), ("LocalModified", "1")]
            let answer = try await ada.post(BookmarksVectors.entry(properties))
            #expect(answer.status == (isIgnored ? .created : .badRequest))
            if !isIgnored { #expect(answer.element("message")?.contains("LocalModified") == true) }
            let json = try await ada.post(#"{"Ordinal":4,"Name":"n","LocalModified":1}"#, type: "application/json")
            #expect(json.status == (isIgnored ? .created : .badRequest))
        }
        #expect(try await world.rows().count == (isIgnored ? 5 : 3))
    }

    @Test(
        .covers("SB-F043"),
        arguments: [
            BookmarksVectors.insert.replacingOccurrences(of: ">0<", with: ">5<"),
            BookmarksVectors.update.replacingOccurrences(of: ">0<", with: ">5<"),
            """
            <?xml version="1.0" encoding="utf-8" standalone="yes"?>
            <entry xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
              <title type="text"></title>
              <updated>2010-02-27T21:36:47Z</updated>
              <author><name /></author>
              <category term="AmxMobile.Services.Bookmark" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
              <content type="application/xml">
                <m:properties>
                  <d:Name>Apress</d:Name><d:Url>http://www.apress.com/</d:Url>
                  <d:Ordinal m:type="Edm.Int32"> 5 </d:Ordinal>
                </m:properties>
              </content>
            </entry>
            """,
            """
            <a:entry xmlns:a="http://www.w3.org/2005/Atom" xmlns:p="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:q="http://schemas.microsoft.com/ado/2007/08/dataservices"><a:id/><a:link rel="edit" href="x"/><a:content type="application/xml"><p:properties><q:Url>http://www.apress.com/</q:Url><q:Name>Apress</q:Name><q:Ordinal>5</q:Ordinal></p:properties></a:content></a:entry>
            """,
        ]
    )
    func `an entry is taken in its short and its full form, wherever its namespaces stand`(body: String) async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let version = try #require(HTTPField.Name("DataServiceVersion"))
            let answer = try await ada.send(
                .post,
                "bookmarks.svc/Bookmark",
                body,
                type: BookmarksClient.entry,
                fields: [version: "1.0"]
            )
            #expect(answer.status == .created, "\(answer.text)")
        }
        #expect(try await world.rows().last?.hasPrefix("5 Apress http://www.apress.com") == true)
    }

    @Test(.covers("SB-F044"))
    func `an entry with a capital letter is refused, and told why`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let body = BookmarksVectors.entry([("Ordinal", "5"), ("Name", "n")])
                .replacingOccurrences(of: "<entry", with: "<Entry").replacingOccurrences(of: "</entry", with: "</Entry")
            let answer = try await ada.post(body)
            #expect(answer.status == .badRequest)
            #expect(
                answer.element("message")
                    == "The root of the body is 'Entry'; that of an Atom entry is 'entry', in small letters."
            )
        }
        #expect(try await world.rows().count == 3)
    }

    @Test(.covers("SB-W31"))
    func `null comes and goes as m:null says it, and an empty text is none`() async throws {
        try await BookmarksWorld().run { client in
            let ada = try await client.loggedOn(as: "ada")
            let body = BookmarksVectors.entry([("Name", "")])
                .replacingOccurrences(of: "<d:Name>", with: "<d:Url m:null=\"true\" /><d:Name>")
            #expect(try await ada.merge("bookmarks.svc/Bookmark(1001)", body).status == .noContent)
            let entry = try await ada.get("bookmarks.svc/Bookmark(1001)")
            #expect(entry.text.contains("<d:Url m:null=\"true\" />") && entry.text.contains("<d:Name></d:Name>"))
            let required = BookmarksVectors.entry([("Name", "n")])
                .replacingOccurrences(of: "<d:Name>", with: "<d:Ordinal m:null=\"true\" /><d:Name>")
            #expect(try await ada.merge("bookmarks.svc/Bookmark(1001)", required).status == .badRequest)
        }
    }

    @Test(.covers("SB-W14"))
    func `an insert that is sent again after its answer was lost makes no second bookmark`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let body = BookmarksVectors.entry([("Ordinal", "5"), ("Name", "once")])
            #expect(try await ada.post(body).status == .created)
            let again = try await ada.post(body)
            #expect(again.status == .conflict && again.element("message")?.isEmpty == false)
        }
        #expect(try await world.rows().filter { $0.contains("once") }.count == 1)
    }

    @Test(.covers("SB-F045", "SB-W32"))
    func `a seventh bookmark, a taken ordinal and an ordinal out of range are refused with a clear error`() async throws
    {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            for ordinal in 3...5 {
                let entry = BookmarksVectors.entry([("Ordinal", "\(ordinal)"), ("Name", "n\(ordinal)")])
                #expect(try await ada.post(entry).status == .created)
            }
            for ordinal in ["0", "5", "6", "-1", "x", "99999999999", ""] {
                let answer = try await ada.post(BookmarksVectors.entry([("Ordinal", ordinal), ("Name", "n")]))
                #expect(answer.status.code == 400 || answer.status.code == 409, "\(ordinal): \(answer.status)")
                #expect(answer.element("message")?.isEmpty == false)
                #expect(answer.element("code")?.isEmpty == false)
            }
        }
        #expect(try await world.rows().count == 6)
    }

    @Test(.covers("SB-F096", "SB-S12"))
    func `names in both encodings and of more lines than one come back as they were`() async throws {
        let world = try BookmarksWorld()
        let name = "Größe\nzwei & <drei>"
        let escaped = "Größe\nzwei &amp; &lt;drei&gt;"
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let body = BookmarksVectors.entry([("Ordinal", "3"), ("Name", escaped)])
            let declared = #"<?xml version="1.0" encoding="iso-8859-1"?>"# + body
            let latin = try #require(declared.data(using: .isoLatin1))
            let answer = try await ada.send(
                .post,
                "bookmarks.svc/Bookmark",
                type: BookmarksClient.entry,
                bytes: Array(latin)
            )
            #expect(answer.status == .created && answer.element("Name") == name, "\(answer.text)")
            let utf8 = try await ada.post(BookmarksVectors.entry([("Ordinal", "4"), ("Name", escaped)]))
            #expect(utf8.status == .created && utf8.element("Name") == name)
            let told = try await ada.get("bookmarks.svc/Bookmark?$filter=Ordinal%20eq%203")
            #expect(told.element("Name") == name)
            let inLatin = try await ada.get(
                "bookmarks.svc/Bookmark?$filter=Ordinal%20eq%203",
                [.acceptCharset: "iso-8859-1"]
            )
            let bytes = Array(inLatin.body.readableBytesView)
            #expect(String(bytes: bytes, encoding: .isoLatin1)?.contains("Größe&#10;zwei &amp; &lt;drei&gt;") == true)
            let other = try await ada.post(body, type: "application/atom+xml;charset=utf-16")
            #expect(other.status == .unsupportedMediaType)
        }
    }

    @Test(.covers("SB-W02"))
    func `a client that sends the ETag it has read overwrites no newer version`() async throws {
        let world = try BookmarksWorld()
        try await world.run { client in
            let ada = try await client.loggedOn(as: "ada")
            let tag = try #require(try await ada.get("bookmarks.svc/Bookmark(1001)").headers[.eTag])
            let merge = HTTPRequest.Method("MERGE") ?? .patch
            func change(_ name: String) async throws -> HTTPResponse.Status {
                try await ada.send(
                    merge,
                    "bookmarks.svc/Bookmark(1001)",
                    BookmarksVectors.entry([("Name", name)]),
                    type: BookmarksClient.entry,
                    fields: [.ifMatch: tag]
                ).status
            }
            #expect(try await change("first") == .noContent)
            #expect(try await change("second") == .preconditionFailed)
        }
        #expect(try await world.rows()[0] == "0 first http://www.google.co.uk")
    }
}
