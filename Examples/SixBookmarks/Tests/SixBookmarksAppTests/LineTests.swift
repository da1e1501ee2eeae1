// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import SixBookmarksTerminal
import Testing
import Tideline
import TidelineTestSupport

/// The commands for scripts.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct LineTests {
    private let cloud: Cloud
    private let phone: Phone

    init() async throws {
        cloud = try Cloud()
        phone = Phone(cloud)
        try await phone.signIn()
        await phone.app.close()
    }

    /// What is said beside the output.
    @MainActor
    private final class Notes {
        private(set) var lines: [String] = []

        func add(_ line: String) { lines.append(line) }
    }

    private func run(_ words: String..., note: @escaping @MainActor (String) -> Void = { _ in }) async throws
        -> [String]
    {
        let program = LineProgram(
            phone.device,
            try CommandLineRequest(words),
            service: Cloud.address,
            password: { nil },
            opener: { _ in },
            note: note
        )
        return try await program.run()
    }

    @Test(.covers("SB-W17", "SB-W18", "SB-F115"))
    func `a sync without a connection says so while it waits, once, and the status says it after`() async throws {
        _ = try await run("edit", "1", "--name", "Search")
        cloud.isReachable = false
        let notes = Notes()
        await #expect {
            try await run("sync", note: notes.add)
        } throws: {
            ($0 as? ClientError)?.code == .unreachable
        }
        #expect(
            notes.lines == ["Offline: The service is not reached. The service is asked again for some twenty seconds."]
        )
        let status = try await run("status")
        let (state, waiting) = (status.dropFirst().first, status.dropFirst(2).first)
        #expect(state == "Offline, 1 waiting. Everything works; changes are sent later.")
        #expect(waiting == "1 change waits to be sent.")
        cloud.isReachable = true
        let synced = try await run("sync", note: notes.add)
        #expect(synced.first?.hasPrefix("In step: 1 sent") == true, "\(synced)")
        #expect(notes.lines.count == 1)
    }

    @Test(.covers("SB-F144", "SB-F151")) func `what changes nothing says so, and nothing waits`() async throws {
        #expect(try await run("move", "1", "1") == ["It is at place 1. Nothing was changed."])
        #expect(
            try await run("edit", "1", "--name", "Google") == ["Place 1 is as it was. Nothing was changed."]
        )
        #expect(try await run("status").contains("Nothing waits to be sent."))
        #expect(
            try await run("move", "1", "2")
                == ["Moved from place 1 to 2. It waits to be sent: sixbookmarks sync."]
        )
        await #expect(throws: BookmarkError.emptyPlace(5)) { try await run("move", "5", "5") }
    }
}
