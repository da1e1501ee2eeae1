// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TidelineServer
import TidelineService

@testable import TidelineServer

/// Clients that read slowly, or not at all.
@Suite(.serialized)
struct SlowReaderTests {
    private static let request = "GET /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

    /// A world whose answer is one page of six megabytes.
    private static func world(answerMemory: Int, answerTimeout: Duration = .seconds(120)) throws -> ServerWorld {
        let world = try ServerWorld(
            notes: 3_000,
            noteLength: 2_000,
            answerTimeout: answerTimeout,
            answerMemoryInBytes: answerMemory
        )
        let file = world.data.file(domain: "shop")
        var domain = try Domain(contentsOf: file)
        domain.limits.pageBytes = 100_000_000
        try domain.write(to: file)
        return world
    }

    @Test func `memory has room for some answers, and gets it back`() {
        let memory = AnswerMemory(limit: 100)
        var first = memory.room(for: 60)
        #expect(first != nil && memory.room(for: 41) == nil && memory.taken == 60)
        let second = memory.room(for: 40)
        #expect(second != nil && memory.taken == 100)
        first = nil
        #expect(first == nil && memory.taken == 40)
        withExtendedLifetime(second) {}
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func `a hundred slow readers hold no more memory than a few, and each gets all of its answer`() async throws {
        let world = try Self.world(answerMemory: 16 << 20)
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let (before, after, counts) = try await OwnThread.run {
                var sockets: [Int32] = []
                defer { for socket in sockets { close(socket) } }
                // The first fills the caches.
                _ = try RawConnection.exchange(Self.request, port: port)
                let before = try Self.residentBytes()
                for _ in 0..<100 { sockets.append(try RawConnection.begin(Self.request, port: port)) }
                let after = try Self.residentBytes()
                return (before, after, [sockets[0], sockets[50], sockets[99]].map(RawConnection.rest(of:)))
            }
            #expect(counts.allSatisfy { $0 > 6_000_000 }, "\(counts)")
            // In memory they would be more than six hundred megabytes; other tests of the process take some.
            #expect(after - before < 450 << 20, "\(before) \(after)")
        }
    }

    @Test func `who takes nothing for a while is let go`() async throws {
        let world = try Self.world(answerMemory: 64 << 20, answerTimeout: .seconds(1))
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let count = try await OwnThread.run {
                let socket = try RawConnection.begin(Self.request, port: port)
                defer { close(socket) }
                // Long enough for the server to look twice.
                usleep(4_000_000)
                return RawConnection.rest(of: socket)
            }
            #expect(count < 6_000_000, "\(count)")
            #expect(try await client.get("/healthz").status == .ok)
        }
    }

    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }
}
