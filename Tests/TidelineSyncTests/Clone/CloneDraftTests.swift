// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// What a clone leaves when its process is killed.
struct CloneDraftTests {
    @Test func `drafts of processes that are gone are removed by the next clone, and nothing else is`() async throws {
        let world = try World()
        let gone = Process()
        gone.executableURL = URL(fileURLWithPath: "/bin/sh")
        gone.arguments = ["-c", "exit 0"]
        try gone.begin()
        gone.waitUntilExit()
        let abandoned = "a.tideline.clone-\(gone.processIdentifier)-4294967295"
        let kept = [
            // Of a process that runs, of another store, and what somebody else named so.
            "a.tideline.clone-\(getppid())-1", "b.tideline.clone-\(gone.processIdentifier)-1",
            "a.tideline.clone-\(gone.processIdentifier)", "a.tideline.clone-\(gone.processIdentifier)-1-old",
            "a.tideline.clone-notes-1",
        ]
        // One of this process's number that it did not make is of a process before, as in a container.
        let same = "a.tideline.clone-\(getpid())-1"
        for name in kept + [abandoned, abandoned + "-wal", abandoned + "-shm", same] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: world.folder + "/" + name))
        }
        let device = try await world.device("a")
        let rows = try device.rows("Parents").count
        #expect(rows == 3)
        let found = try FileManager.default.contentsOfDirectory(atPath: world.folder)
        #expect(Set(found.filter { $0.contains(".clone-") }) == Set(kept))
    }
}
