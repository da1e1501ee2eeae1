// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineOData

@testable import TidelineService

/// Streams in files by the ways that are not the plain one: answered later, and by v2.
struct LargeFileTests {
    @Test func `an upload that is answered later keeps its file until then`() throws {
        let desk = DeferralTests.Desk()
        let album = try Album(deferral: desk.deferral())
        let taken = try album.send(.put, "Docs(1)/Photo", Array("later".utf8), ["Prefer": "respond-async"])
        #expect(taken.head.status == .accepted)
        let monitor = try #require(taken.head.headerFields[.location])
        #expect(try album.send(.get, "Docs(1)/Photo").head.status == .noContent)
        #expect(album.files.count == 1)
        desk.runAll()
        let done = try album.send(.get, monitor)
        #expect(done.head.status == .ok && done.head.headerFields[.asyncResult] == "204")
        #expect(try album.send(.get, "Docs(1)/Photo/$value").body.all() == Array("later".utf8))
        #expect(album.files.isEmpty)
    }

    @Test func `an upload whose answer is cancelled leaves nothing`() throws {
        let desk = DeferralTests.Desk()
        let album = try Album(deferral: desk.deferral())
        let taken = try album.send(.put, "Docs(1)/Photo", Array("never".utf8), ["Prefer": "respond-async"])
        let monitor = try #require(taken.head.headerFields[.location])
        #expect(try album.send(.delete, monitor).head.status == .noContent)
        desk.runAll()
        #expect(try album.send(.get, "Docs(1)/Photo").head.status == .noContent)
        #expect(album.files.isEmpty)
    }

    /// Of more than four megabytes nothing is put into a larger answer.
    @Test func `a large file goes to a client of v2 piece by piece`() throws {
        let album = try Album()
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try album.send(.post, "Pictures", bytes).head.status == .created)
        let reply = try album.send(.get, "v2/Pictures(1)/$value", [], ["OData-MaxVersion": "", "Content-Type": ""])
        #expect(reply.head.status == .ok)
        #expect(reply.head.headerFields[.contentType] == "image/png")
        #expect(reply.head.headerFields[.contentLength] == "5000000")
        guard case .spool = reply.body else {
            Issue.record("the file stands in memory")
            return
        }
        #expect(try reply.body.all() == bytes)
    }
}
