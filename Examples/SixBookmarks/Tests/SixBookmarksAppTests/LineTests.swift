// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import SixBookmarksTerminal
import Testing
import Tideline
import TidelineTestSupport

/// The commands for scripts, and what is typed unseen.
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

    private func typed(_ bytes: [UInt8?]) -> [UnseenLine.End?] {
        var line = UnseenLine()
        return bytes.map { line.type($0) }
    }

    @Test func `a line that is typed unseen ends with Enter, with Ctrl-C, or with the input`() {
        #expect(typed(Array("ab".utf8) + [10]) == [nil, nil, .line("ab")])
        #expect(typed(Array("ab".utf8) + [13]) == [nil, nil, .line("ab")])
        #expect(typed(Array("a".utf8) + [3]) == [nil, .interrupted])
        #expect(typed([nil]) == [.nothing])
        #expect(typed([4]) == [.nothing])
        #expect(typed(Array("a".utf8) + [nil]) == [nil, .line("a")])
        // One key takes one character back, of however many bytes; another one takes all.
        #expect(typed(Array("aé".utf8) + [0x7F, 10]).last == .line("a"))
        #expect(typed([8] + Array("a日b".utf8) + [8, 8, 10]).last == .line("a"))
        #expect(typed(Array("ab".utf8) + [0x15] + Array("c".utf8) + [10]).last == .line("c"))
        #expect(typed(Array("a b".utf8) + [0x17] + Array("c".utf8) + [10]).last == .line("c"))
        // Ctrl-V and Ctrl-Z are no letters, Ctrl-\ ends as Ctrl-C does.
        #expect(typed(Array("a".utf8) + [0x16, 0x1A] + Array("b".utf8) + [10]).last == .line("ab"))
        #expect(typed(Array("a".utf8) + [0x1C]) == [nil, .interrupted])
    }
}
