// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// A server whose clients read slowly, in a process of its own, whose memory nothing else takes.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "needs Linux' /proc"))
struct SlowReadersTests {
    private static let request = "GET /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

    @Test func `a hundred slow readers hold no more memory than a few, and each gets all of its answer`() throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        let database = Database(path: folder.file("shop.sqlite"))
        // One page of six megabytes.
        try database.execute("CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Body TEXT NOT NULL)")
        try database.execute(
            """
            WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000)
            INSERT INTO Notes SELECT x, printf('%.2000c', 'x') FROM c
            """
        )
        try Tool(home: folder.path).succeed(
            "publish",
            "sqlite:" + database.path,
            "--data",
            data,
            "--domain",
            "shop",
            "--open"
        )
        let file = data + "/domains/shop/domain.yaml"
        let domain = try String(contentsOfFile: file, encoding: .utf8)
        try (domain + "limits:\n  pageBytes: 100000000\n").write(toFile: file, atomically: true, encoding: .utf8)
        let server = try ServerProcess(data: data)

        // The first fills the caches.
        #expect(try RawConnection.exchange(Self.request, port: server.port).utf8.count > 6_000_000)
        let before = try Self.residentBytes(of: server)
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        for _ in 0..<100 { sockets.append(try RawConnection.begin(Self.request, port: server.port)) }
        let after = try Self.residentBytes(of: server)
        // All hundred in memory would be more than six hundred megabytes; it has room for 64 MiB of answers.
        #expect(after - before < 350 << 20, "\(before) \(after)")
        for socket in [sockets[0], sockets[50], sockets[99]] { #expect(RawConnection.rest(of: socket) > 6_000_000) }
    }

    private static func residentBytes(of server: ServerProcess) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(server.identifier)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }
}
