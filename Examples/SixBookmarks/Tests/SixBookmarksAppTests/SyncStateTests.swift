// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

/// What the app says of a sync: its state, and what was done last.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SyncStateTests {
    private let cloud: Cloud
    private let phone: Phone

    init() async throws {
        cloud = try Cloud()
        phone = Phone(cloud)
        try await phone.signIn()
    }

    @Test(.covers("SB-F115")) func `the state stands in words`() async throws {
        let sync = try phone.sync
        #expect(sync.state == "In step with the service.")
        #expect(sync.waiting == "Nothing waits to be sent.")
        #expect(sync.lastSuccess == "Last sync: just now.")
        try await phone.edit(0, name: "A")
        try await phone.edit(1, name: "B")
        let later = try SyncModel(try phone.session, now: { DateTimeOffset(seconds: Phone.now.seconds + 7200) })
        #expect(later.state == "Changes wait to be sent.")
        #expect(later.waiting == "2 changes wait to be sent.")
        #expect(later.lastSuccess == "Last sync: 2 hours ago.")
        cloud.isReachable = false
        #expect(await !sync.syncNow())
        #expect(sync.message == "The service is not reached. Look at the connection.")
        #expect(!sync.isGood)
        #expect(sync.state == "Offline, 2 waiting. Everything works; changes are sent later.")
        // Whoever opens the file again knows it too.
        let again = try SyncModel(try phone.session)
        #expect(again.state == sync.state)
    }

    @Test(.covers("SB-F112", "SB-F115", "SB-W17"))
    func `while a sync tries again the state is offline, and busy where the service answers so`() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let options = SyncOptions(
            sleep: { _ in for await _ in gate { return } },
            random: { 0.5 },
            now: { Phone.now }
        )
        let phone = Phone(cloud, options: options)
        try await phone.signIn()
        let sync = try phone.sync
        try await phone.edit(0, name: "A")
        let failures = Mutex([
            ClientError(.unreachable, "No connection.", advice: ""),
            ClientError(.busy, "Busy.", advice: "", status: 503),
        ])
        cloud.gate { _ in
            if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
        }
        let running = Task { await sync.syncNow() }
        let (offline, busy) = (
            "Offline, 1 waiting. Everything works; changes are sent later.",
            "The service or this device is busy. It is tried again soon."
        )
        await Viewer.wait {
            sync.activity == offline
        } else: {
            sync.activity
        }
        opening.yield()
        await Viewer.wait {
            sync.activity == "Syncing… " + busy
        } else: {
            sync.activity
        }
        opening.yield()
        #expect(await running.value)
        #expect(try cloud.bookmarks().first == "0 A")
        #expect(sync.state == "In step with the service.")
    }

    @Test(.covers("SB-F115")) func `what was said of a sync is gone after the next change, and on another screen`()
        async throws
    {
        let sync = try phone.sync
        let changes: [@MainActor () throws -> Void] = [
            { try phone.configuration.delete(try phone.bookmark(2)) }, { try phone.configuration.undo() },
            { phone.app.show(.sync) },
        ]
        for change in changes {
            try await phone.syncNow()
            #expect(sync.message?.hasPrefix("In step") == true)
            try change()
            #expect(sync.message == nil)
            try await phone.settle()
        }
        try await phone.syncNow()
        try await phone.edit(0, name: "A")
        #expect(sync.message == nil)
    }
}
