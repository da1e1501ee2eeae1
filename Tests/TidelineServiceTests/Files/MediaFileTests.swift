// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

@testable import TidelineService

/// Streams that are kept in files.
struct MediaFileTests {
    /// A domain of documents whose photos, and pictures that are nothing but a file.
    private final class Album {
        let folder = "/tmp/tideline-files-\(UInt64.random(in: 0 ... .max))"
        let shop: Shop
        let files: MediaFiles
        let service: ODataService

        init() throws {
            shop = try Shop(
                open: true,
                adding: """
                    CREATE TABLE Docs (Id INTEGER PRIMARY KEY, Title TEXT, Photo TEXT, PhotoKind TEXT);
                    CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Content TEXT, Kind TEXT);
                    INSERT INTO Docs(Id, Title) VALUES (1, 'one'), (2, 'two');
                    """,
                shaping: { sets in
                    for place in sets.indices {
                        let type = sets[place].type
                        for name in ["Photo", "Content"] {
                            guard let index = type.propertyIndex(wire: name) else { continue }
                            sets[place].type.properties[index].stream = MediaStream(
                                contentTypeProperty: index + 1,
                                isFile: true
                            )
                            if name == "Content" { sets[place].type.mediaProperty = index }
                        }
                    }
                }
            )
            files = MediaFiles(folder: folder)
            service = try ODataService(
                domain: shop.domain,
                store: shop.store,
                signingKey: Array(repeating: 7, count: 32),
                files: files
            )
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: [UInt8] = [],
            _ headers: [HTTPField.Name: String] = [:]
        ) throws -> (status: Int, body: [UInt8], fields: HTTPFields) {
            var fields = HTTPFields()
            fields[.odataMaxVersion] = "4.01"
            for (name, value) in headers { fields[name] = value }
            let request = HTTPRequest(
                method: method,
                scheme: nil,
                authority: nil,
                path: "/odata/shop/" + path,
                headerFields: fields
            )
            var upload: MediaUpload?
            switch try service.upload(for: request, user: .anonymous) {
            case .none: break
            case .refused(let response):
                return (response.head.status.code, try response.body.all(), response.head.headerFields)
            case .accepted(let file):
                upload = file
                // In pieces, as a socket gives them.
                for start in stride(from: 0, to: body.count, by: 3) {
                    #expect(try file.append(Array(body[start..<min(start + 3, body.count)])))
                }
            }
            let response = service.respond(
                to: request,
                body: upload == nil ? body : [],
                upload: upload,
                user: .anonymous
            )
            return (response.head.status.code, try response.body.all(), response.head.headerFields)
        }

        /// The files that are there, without their folders.
        var names: [String] {
            (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter {
                !$0.hasSuffix("new") && !$0.hasPrefix("gone") && $0.utf8.count > 2
            }.map { $0.split(separator: "/").last.map(String.init) ?? "" }.sorted()
        }
    }

    private let png: [HTTPField.Name: String] = [.contentType: "image/png"]
    /// SHA-256 of "abc".
    ///
    /// Source: FIPS 180-4, appendix B.1 of its examples.
    private let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func `a stream in a file comes back as it went, under the name of its content`() throws {
        let album = try Album()
        #expect(try album.send(.get, "Docs(1)/Photo").status == 204)
        #expect(try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png).status == 204)
        #expect(album.names == [abc])
        #expect(try album.shop.value("SELECT Photo || ' ' || PhotoKind FROM Docs WHERE Id = 1") == abc + " image/png")
        let back = try album.send(.get, "Docs(1)/Photo/$value")
        #expect(back.status == 200 && back.body == Array("abc".utf8))
        #expect(back.fields[.contentType] == "image/png" && back.fields[.contentLength] == "3")
        #expect(back.fields[.acceptRanges] == "bytes")
        #expect(try album.send(.head, "Docs(1)/Photo").body.isEmpty)
        // It stands in no answer.
        #expect(!String(decoding: try album.send(.get, "Docs(1)").body, as: UTF8.self).contains(abc))
    }

    @Test(
        arguments: [
            ("bytes=0-1", 206, "ab", "bytes 0-1/6"), ("bytes=4-", 206, "ef", "bytes 4-5/6"),
            ("bytes=-2", 206, "ef", "bytes 4-5/6"), ("bytes=2-99", 206, "cdef", "bytes 2-5/6"),
            ("bytes=-99", 206, "abcdef", "bytes 0-5/6"), ("bytes=6-", 416, "", "bytes */6"),
            ("bytes=-0", 416, "", "bytes */6"), ("bytes=3-2", 200, "abcdef", nil),
            ("bytes=0-1,3-4", 200, "abcdef", nil),
            ("lines=0-1", 200, "abcdef", nil), ("bytes=a-b", 200, "abcdef", nil),
            ("bytes=0-99999999999999999999", 206, "abcdef", "bytes 0-5/6"),
        ] as [(String, Int, String, String?)]
    )
    func `a range of it is answered`(range: String, status: Int, text: String, contentRange: String?) throws {
        let album = try Album()
        #expect(try album.send(.put, "Docs(1)/Photo", Array("abcdef".utf8), png).status == 204)
        let reply = try album.send(.get, "Docs(1)/Photo", [], [.range: range])
        #expect(reply.status == status)
        #expect(String(decoding: reply.body, as: UTF8.self) == text)
        #expect(reply.fields[.contentRange] == contentRange)
    }

    @Test func `versions are compared before it is changed, and tell what a client has`() throws {
        let album = try Album()
        _ = try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png)
        let first = try #require(try album.send(.get, "Docs(1)/Photo").fields[.eTag])
        #expect(try album.send(.get, "Docs(1)/Photo", [], [.ifNoneMatch: first]).status == 304)
        #expect(try album.send(.put, "Docs(1)/Photo", Array("xyz".utf8), [.ifMatch: first]).status == 204)
        #expect(try album.send(.put, "Docs(1)/Photo", Array("lost".utf8), [.ifMatch: first]).status == 412)
        let back = try album.send(.get, "Docs(1)/Photo", [], [.range: "bytes=0-0", .ifRange: first])
        #expect(back.status == 200 && back.body == Array("xyz".utf8))
        #expect(back.fields[.eTag] != first)
    }

    @Test func `files that no row names go, others stay, and young ones too`() throws {
        let album = try Album()
        _ = try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png)
        _ = try album.send(.put, "Docs(2)/Photo", Array("abc".utf8), png)
        _ = try album.send(.put, "Docs(1)/Photo", Array("next".utf8), png)
        #expect(album.names.count == 2)
        #expect(try album.service.sweepFiles(olderThan: 0) == 0)
        #expect(try album.send(.delete, "Docs(2)").status == 204)
        #expect(try album.send(.delete, "Docs(1)/Photo").status == 204)
        // As after a crash: bytes that never got their row.
        let left = try album.files.begin(limit: 9)
        #expect(try left.append([1]))
        #expect(try album.service.sweepFiles() == 0)
        #expect(album.names.count == 3)
        #expect(try album.service.sweepFiles(olderThan: 0) == 3)
        #expect(album.names.isEmpty)
    }

    /// As after a domain's file that lost a set, and got it back.
    @Test func `a file that was swept comes back when a row names it`() throws {
        let album = try Album()
        _ = try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png)
        try album.shop.sql("UPDATE Docs SET Photo = NULL WHERE Id = 1")
        #expect(try album.service.sweepFiles(olderThan: 0) == 1)
        #expect(album.names.isEmpty)
        // Aside for a while: it is not removed by the next sweep.
        #expect(try album.service.sweepFiles(olderThan: 0) == 0)
        try album.shop.sql("UPDATE Docs SET Photo = '\(abc)', PhotoKind = 'image/png' WHERE Id = 1")
        #expect(try album.send(.get, "Docs(1)/Photo").body == Array("abc".utf8))
        #expect(album.names == [abc])
    }

    @Test func `who may not change a stream leaves no file`() throws {
        let album = try Album()
        #expect(try album.send(.put, "Docs(99)/Photo", Array("abc".utf8), png).status == 404)
        #expect(
            try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), [.ifMatch: "W/\"AAAAAAAAAAAAAAAAAAAAAA\""]).status
                == 412
        )
        #expect(album.names.isEmpty)
    }

    @Test func `a media entity is its file`() throws {
        let album = try Album()
        let made = try album.send(.post, "Pictures", Array("abc".utf8), png)
        #expect(made.status == 201)
        #expect(try album.shop.value("SELECT Content || ' ' || Kind FROM Pictures") == abc + " image/png")
        let back = try album.send(.get, "Pictures(1)/$value")
        #expect(back.body == Array("abc".utf8) && back.fields[.contentType] == "image/png")
        #expect(try album.send(.put, "Pictures(1)/$value", Array("abcd".utf8), png).status == 204)
        #expect(try album.send(.get, "Pictures(1)/$value").body == Array("abcd".utf8))
    }

    @Test(arguments: ["../../../etc/passwd", "/etc/passwd", "..", "", "BA7816BF", "ba/../x"])
    func `a row that names no file of ours leads to none`(name: String) throws {
        let album = try Album()
        _ = try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png)
        try album.shop.sql("UPDATE Docs SET Photo = '\(name)' WHERE Id = 1")
        #expect(try album.send(.get, "Docs(1)/Photo").status == 500)
    }

    @Test func `no body can name a file, and a service without files takes none`() throws {
        let album = try Album()
        _ = try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png)
        let json: [HTTPField.Name: String] = [.contentType: "application/json"]
        #expect(try album.send(.patch, "Docs(2)", Array(#"{"Photo":"\#(abc)"}"#.utf8), json).status == 400)
        #expect(try album.shop.value("SELECT coalesce(Photo, '-') FROM Docs WHERE Id = 2") == "-")
        #expect(album.shop.send(.put, "Docs(2)/Photo", "abc", ["Content-Type": "image/png"]).status == 501)
        #expect(album.shop.send(.get, "Docs(1)/Photo").status == 501)
    }

    @Test func `a refused change leaves the row as it was, and its file to the sweep`() throws {
        let album = try Album()
        try album.shop.sql(
            "CREATE TRIGGER no BEFORE UPDATE OF Photo ON Docs BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        #expect(try album.send(.put, "Docs(1)/Photo", Array("abc".utf8), png).status >= 400)
        #expect(try album.shop.value("SELECT coalesce(Photo, '-') FROM Docs WHERE Id = 1") == "-")
        #expect(try album.service.sweepFiles(olderThan: 0) == 1)
    }

    @Test func `more than the limit is not taken`() throws {
        let files = MediaFiles(folder: "/tmp/tideline-limit-\(UInt64.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(atPath: files.folder) }
        let upload = try files.begin(limit: 4)
        #expect(try upload.append([1, 2, 3]))
        #expect(try !upload.append([4, 5]))
        #expect(upload.count == 3)
    }
}
