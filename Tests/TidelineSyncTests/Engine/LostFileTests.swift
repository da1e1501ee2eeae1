// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Files of a device that are not what they were, while an engine has them open.
struct LostFileTests {
    @Test func `a store whose file was replaced is not synced, and says so`() async throws {
        let world = try World()
        let device = try await world.device("a")
        let path = world.folder + "/a.tideline"
        try await device.sync()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        for isReplaced in [false, true] {
            if isReplaced { try FileManager.default.copyItem(atPath: path + ".moved", toPath: path) }
            let error = try #require(await #expect(throws: LocalStoreError.self) { try await device.sync() })
            #expect(error.code == .foreignFile)
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".moved", toPath: path)
        try await device.sync()
    }

    @Test func `that a store cannot be read is a state, and no end of the states`() async throws {
        let world = try World()
        let device = try await world.device("a")
        let engine = SyncEngine(store: device.store, client: device.client, options: Device.options)
        var states = engine.status.makeAsyncIterator()
        #expect(await states.next()?.lastFailure == nil)
        let other = try DatabaseQueue(path: world.folder + "/a.tideline")
        try await other.write { try $0.execute(sql: "ALTER TABLE tideline_quarantine RENAME TO gone") }
        _ = try? await engine.sync()
        let broken = try #require(await states.next())
        #expect(broken.phase == .stopped(until: nil))
        #expect(broken.lastFailure?.kind == .needsPerson)
        #expect(broken.lastFailure?.message.contains("tideline_quarantine") == true)
        #expect(!broken.isCaughtUp)
        try await other.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO tideline_quarantine") }
        let mended = try await engine.sync()
        #expect(mended.sent == 0 && mended.quarantined == 0)
        var after = await states.next()
        while let state = after, state.lastFailure != nil { after = await states.next() }
        #expect(after?.phase != .stopped(until: nil))
        try device.store.close()
        while after != nil { after = await states.next() }
    }
}
