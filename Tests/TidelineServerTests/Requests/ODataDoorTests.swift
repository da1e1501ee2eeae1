// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TidelineSQLite
import TidelineServer
import TidelineService
import TidelineTestSupport

struct ODataDoorTests {
    @Test(.covers("DA-78")) func `service document, metadata and entities are served`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let root = try await client.get("/odata/shop/")
            #expect(root.status == .ok)
            #expect(root.headers[.xContentTypeOptions] == "nosniff")
            let sets = try #require(root.json["value"] as? [[String: Any]])
            #expect(sets.compactMap { $0["name"] as? String } == ["Notes"])
            #expect(try await client.get("/odata/shop").status == .ok)
            let metadata = try await client.get("/odata/shop/$metadata")
            #expect(metadata.headers[.contentType]?.hasPrefix("application/xml") == true)
            let note = try await client.get("/odata/shop/Notes(2)")
            #expect(note.json["OwnerId"] as? Int == 2)
        }
    }

    @Test func `errors are OData errors in the version that was asked for`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            for path in ["/odata", "/odata/", "/odata/nothing/", "/odata/..%2Fshop/", "/odata/SHOP/"] {
                let answer = try await client.get(path)
                #expect(answer.status == .notFound, "\(path)")
                #expect(answer.errorCode != nil, "\(path)")
            }
            let version = try #require(HTTPField.Name("OData-MaxVersion"))
            let answer = try await client.get("/odata/nothing/", [version: "4.01"])
            let answered = try #require(HTTPField.Name("OData-Version"))
            #expect(answer.headers[answered] == "4.01")
        }
    }

    @Test func `an answer that comes while its client waits is sent at once`() async throws {
        let world = try ServerWorld()
        let prefer = try #require(HTTPField.Name("Prefer"))
        try await world.server.application().test(.live) { client in
            let note = try await client.get("/odata/shop/Notes(2)", [prefer: "respond-async, wait=60"])
            #expect(note.status == .ok)
            #expect(note.json["OwnerId"] as? Int == 2)
            let later = try await client.get("/odata/shop/Notes(2)", [prefer: "respond-async"])
            #expect(later.status == .accepted)
        }
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        let world = try ServerWorld(notes: 200)
        try await world.server.application().test(.live) { client in
            for encoding in ["identity", "gzip"] {
                let head = try await client.execute(
                    uri: "/odata/shop/Notes",
                    method: .head,
                    headers: [.acceptEncoding: encoding]
                )
                let get = try await client.get("/odata/shop/Notes")
                #expect(head.status == .ok)
                #expect(head.body.readableBytes == 0)
                #expect(head.headers[.contentLength] == "\(get.body.readableBytes)")
                #expect(head.headers[.contentType] == get.headers[.contentType])
            }
        }
    }

    @Test func `a long answer is compressed for those who ask for it, a short one is not`() async throws {
        let world = try ServerWorld(notes: 200)
        try await world.server.application().test(.ahc(.http)) { client in
            let plain = try await client.get("/odata/shop/Notes")
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(plain.headers[.vary]?.contains("Accept-Encoding") == true)
            let packed = try await client.get("/odata/shop/Notes", [.acceptEncoding: "gzip"])
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(Array(packed.body.readableBytesView.prefix(2)) == [0x1F, 0x8B])
            #expect(packed.body.readableBytes * 4 < plain.body.readableBytes)
            let short = try await client.get("/odata/shop/Notes(1)", [.acceptEncoding: "gzip"])
            #expect(short.headers[.contentEncoding] == nil)
            let empty = try await client.execute(uri: "/odata/shop/Notes(1)", method: .delete)
            #expect(empty.status == .noContent)
        }
    }

    @Test func `an answer of megabytes arrives whole`() async throws {
        let world = try ServerWorld(notes: 4000, noteLength: 700)
        try await world.server.application().test(.ahc(.http)) { client in
            let answer = try await client.get("/odata/shop/Notes")
            #expect(answer.body.readableBytes > 2_800_000)
            #expect((answer.json["value"] as? [Any])?.count == 4000)
        }
    }

    @Test func `who reads slowly holds no transaction`() async throws {
        let world = try ServerWorld(notes: 8_000, noteLength: 2_000)
        let file = world.data.file(domain: "shop")
        var domain = try Domain(contentsOf: file)
        domain.limits.pageRows = 100_000
        domain.limits.pageBytes = 100_000_000
        try domain.write(to: file)
        let database = world.data.folder(domain: "shop") + "/data.sqlite"
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let request = "GET /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            let (count, log) = try await Self.readSlowly(request, port: port, database: database)
            // More than the buffers of both sides hold.
            #expect(count > 16_000_000)
            // Forty megabytes were written meanwhile: the log begins anew only where nobody stands in it.
            #expect(log < 20_000_000)
        }
    }

    /// Takes an answer while others write, on a thread of its own: the server needs those of the test.
    ///
    /// - Returns: the bytes of the answer, and the size of the database's log before the last of them was taken.
    private static func readSlowly(
        _ request: String,
        port: Int,
        database: String
    ) async throws -> (count: Int, log: Int) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Swift.Result {
                        var log = Int.max
                        let count = try RawConnection.readSlowly(request, port: port) {
                            for _ in 0..<20 {
                                try SQLiteScript.run(
                                    "UPDATE Notes SET Body = Body || 'x' WHERE Id <= 1000",
                                    path: database
                                )
                            }
                            let file = try FileManager.default.attributesOfItem(atPath: database + "-wal")
                            log = file[.size] as? Int ?? .max
                        }
                        return (count, log)
                    }
                )
            }
        }
    }

    @Test func `a body beyond the limit is refused before and while it arrives`() async throws {
        let world = try ServerWorld()
        let file = world.data.file(domain: "shop")
        var domain = try Domain(contentsOf: file)
        domain.limits.bodyBytes = 2048
        domain.limits.batchBytes = 4096
        try domain.write(to: file)
        try await world.server.application().test(.ahc(.http)) { client in
            let large = "{\"Id\":9,\"OwnerId\":1,\"Body\":\"" + String(repeating: "x", count: 3000) + "\"}"
            let answer = try await client.post("/odata/shop/Notes", large)
            #expect(answer.status == .contentTooLarge)
            #expect(answer.errorCode == "BodyTooLarge")
            #expect(answer.text.contains("larger than 2048 bytes, the most that is taken here (bodyBytes)."))
            let batch = try await client.post("/odata/shop/$batch", large)
            #expect(batch.status != .contentTooLarge)
            #expect(try await client.get("/odata/shop/Notes/$count").text == "3")
        }
    }

    @Test(.covers("MD-I78"))
    func `a body of JSON arrives as it was sent, a text of all kinds and a million bytes in it`() async throws {
        let world = try ServerWorld()
        try ServerWorld.publish("box", world.data, columns: ", Data BLOB", isOpen: true)
        // 256 of them have all values, and the next 256 are not as those before.
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 / 256) }
        let digits = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        let note = #"{"OwnerId":1,"Body":"a\"b\\\r\n\u0001Ü\ud83d\udc1f","Data":"\#(digits)"}"#
        try await world.server.application().test(.live) { client in
            let made = try await client.post("/odata/box/Notes", note)
            #expect(made.status == .created)
            let id = try #require(made.json["Id"] as? Int)
            let data = try await client.get("/odata/box/Notes(\(id))/Data/$value")
            #expect(data.status == .ok)
            // Of two that differ a test would look for the least difference, byte by byte.
            let isSame = Array(data.body.readableBytesView) == bytes
            #expect(isSame, "\(data.body.readableBytes) bytes")
            let text = try await client.get("/odata/box/Notes(\(id))/Body/$value")
            #expect(Array(text.body.readableBytesView) == Array("a\"b\\\r\n\u{1}Ü\u{1F41F}".utf8))
        }
    }

    @Test func `a compressed body is refused`() async throws {
        let world = try ServerWorld()
        try await world.server.application().test(.live) { client in
            let answer = try await client.execute(
                uri: "/odata/shop/Notes",
                method: .post,
                headers: [.contentType: "application/json", .contentEncoding: "gzip"],
                body: ByteBuffer(bytes: [0x1F, 0x8B])
            )
            #expect(answer.status == .unsupportedMediaType)
        }
    }

    @Test func `a page of another site changes nothing where nobody signs in`() async throws {
        let world = try ServerWorld()
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let note = #"{"Id":9,"OwnerId":1,"Body":"b"}"#
        try await world.server.application().test(.live) { client in
            let foreign: [HTTPFields] = [
                [site: "cross-site"], [site: "same-site"], [.origin: "http://evil.example"], [.origin: "null"],
            ]
            for fields in foreign {
                for path in ["/odata/shop/Notes", "/odata/shop/$batch"] {
                    // Without a Content-Type a browser asks for no leave.
                    let answer = try await client.execute(
                        uri: path,
                        method: .post,
                        headers: fields,
                        body: ByteBuffer(string: note)
                    )
                    #expect(answer.status == .forbidden)
                    #expect(answer.errorCode == "CrossSiteRefused")
                }
                #expect(try await client.get("/odata/shop/Notes", fields).status == .ok)
            }
            #expect(try await client.get("/odata/shop/Notes/$count").text == "3")
            let own = try await client.execute(
                uri: "/odata/shop/Notes",
                method: .post,
                headers: [site: "same-origin", .origin: "http://localhost", .contentType: "application/json"],
                body: ByteBuffer(string: note)
            )
            #expect(own.status == .created)
        }
    }
}
