// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing
import TidelineServer
import TidelineService
import TidelineTestSupport

@testable import TidelineServer

/// Clients that read slowly, or not at all.
@Suite(.serialized)
struct SlowReaderTests {
    private static let request = "GET /odata/shop/Notes HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

    /// A world whose answer is one page of six megabytes.
    private static func world(answerTimeout: Duration) throws -> ServerWorld {
        let world = try ServerWorld(notes: 3_000, noteLength: 2_000, answerTimeout: answerTimeout)
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

    @Test func `who takes nothing for a while is let go`() async throws {
        let world = try Self.world(answerTimeout: .seconds(1))
        try await world.server.application().test(.live) { client in
            let port = try #require(client.port)
            let count = try await OwnThread.run {
                // The server looks every second; on a busy machine that takes longer.
                for seconds: UInt32 in [4, 8, 16, 32] {
                    let socket = try RawConnection.begin(Self.request, port: port)
                    defer { close(socket) }
                    sleep(seconds)
                    let count = RawConnection.rest(of: socket)
                    if count < 6_000_000 { return count }
                }
                return 6_000_000
            }
            #expect(count < 6_000_000, "\(count)")
            #expect(try await client.get("/healthz").status == .ok)
        }
    }
}
