// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TidelineModel
import TidelineServer
import TidelineService
import TidelineTestSupport

/// Bodies that go into files.
struct UploadTests {
    /// A world in which the texts of notes are files.
    private static func world(uploadSeconds: Int = 3_600, bodyTimeout: Duration = .seconds(120)) throws -> ServerWorld {
        let world = try ServerWorld(bodyTimeout: bodyTimeout)
        for name in ["shop", "club"] {
            let file = world.data.file(domain: name)
            var domain = try Domain(contentsOf: file)
            domain.limits.uploadSeconds = uploadSeconds
            var sets = domain.model.sets
            sets[0].type.properties[2].stream = MediaStream(contentTypeProperty: nil, isFile: true)
            domain.model = EntityModel(namespace: "Test", sets: sets)
            try domain.write(to: file)
        }
        return world
    }

    @Test func `an upload that never stands still may not go on for ever either`() async throws {
        let world = try Self.world(uploadSeconds: 1, bodyTimeout: .seconds(3))
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            // A piece comes every few milliseconds, so it never waits.
            let head = "PUT /odata/shop/Notes(1)/Body HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            let (answer, isClosed) = try await OwnThread.run {
                try RawConnection.sendWithoutEnd(head, port: port, seconds: 60)
            }
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
            #expect(answer.contains("BodyTooSlow"))
            #expect(isClosed)
        }
    }

    @Test func `what will be refused is refused before its body comes, and is not told to go on`() async throws {
        let world = try Self.world()
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let token = try #require(try await client.signIn().json["access_token"] as? String)
            // Note 2 is another's, of note 1 another version is meant, note 9 is not there.
            for (path, fields, status) in [
                ("Notes(2)/Body", "", 404), ("Notes(1)/Body", "If-Match: W/\"AAAAAAAAAAAAAAAAAAAAAA\"\r\n", 412),
                ("Notes(9)/Body", "", 404),
            ] {
                let head =
                    "PUT /odata/club/\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
                    + "\(fields)Content-Length: 100000000\r\nExpect: 100-continue\r\n\r\n"
                let answer = try await OwnThread.run {
                    try RawConnection.exchange(head, port: port, endsSending: false)
                }
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path): \(answer)")
                #expect(!answer.contains("100 Continue"))
            }
            let taken = try await client.execute(
                uri: "/odata/club/Notes(1)/Body",
                method: .put,
                headers: [.authorization: "Bearer \(token)", .contentType: "text/plain"],
                body: ByteBuffer(string: "a file")
            )
            #expect(taken.status == .noContent)
        }
    }

    @Test(arguments: [true, false])
    func `a body that is cut off changes nothing, in a file or in a value`(isFile: Bool) async throws {
        let world = isFile ? try Self.world() : try ServerWorld()
        let path = "/odata/shop/Notes(1)/Body" + (isFile ? "" : "/$value")
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let head = "PUT \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
            let whole = try await OwnThread.run {
                try RawConnection.exchange(head + "Content-Length: 5\r\nConnection: close\r\n\r\nwhole", port: port)
            }
            #expect(whole.hasPrefix("HTTP/1.1 204 "), "\(whole)")
            for body in ["Content-Length: 100\r\n\r\ncut off", "Transfer-Encoding: chunked\r\n\r\n7\r\ncut off\r\n"] {
                let answer = try await OwnThread.run { try RawConnection.exchange(head + body, port: port) }
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
                let now = try await client.get("/odata/shop/Notes(1)/Body/$value")
                #expect(now.status == .ok)
                #expect(String(buffer: now.body) == "whole")
            }
        }
    }
}
