// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Tideline

/// `FaultDevice FILE HISTORY NAME RATE SEED`: an app on a device, for `script/faults`.
///
/// It opens a store that was cloned, syncs by itself, and commits RATE transactions a second, each told to HISTORY before
/// and after. Lines on standard input: `quiet` ends the writing, `rows` is answered with all rows on one line; the end
/// of the input ends the program.
@main
struct FaultDevice {
    /// No wait of the device is longer: `script/faults` holds what must come to rest to three times this.
    static let longestWait = Duration.seconds(8)
    private static let schedule = SyncSchedule(
        quiet: .milliseconds(100),
        interval: .seconds(2),
        firstRetry: .milliseconds(250),
        longestRetry: .seconds(3)
    )

    /// Set by `quiet`: nothing more is written.
    private static let isQuiet = Atomic<Bool>(false)

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let rate = Double(arguments[4]), let seed = UInt64(arguments[5]) else {
            FileHandle.standardError.write(Data("usage: FaultDevice FILE HISTORY NAME RATE SEED\n".utf8))
            exit(2)
        }
        let store = try LocalStore(path: arguments[1], settings: .app())
        let history = try History(path: arguments[2])
        let transport = AsyncHTTPClientTransport(
            limits: TransportLimits(connect: .seconds(3), idle: .seconds(5), head: longestWait)
        )
        let retry = RetryPolicy(base: .milliseconds(250), longest: .seconds(2), patience: .seconds(4))
        let engine = try SyncEngine(store: store, transport: transport, options: SyncOptions(retry: retry))
        engine.start(schedule)
        let seeded = SeededNumbers(seed: seed &+ UInt64(history.newest))
        var writer = Writer(store: store, history: history, editor: Editor(device: arguments[3], random: seeded))
        try writer.look()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await command in commands() {
                    switch command {
                    case "quiet": isQuiet.store(true, ordering: .relaxed)
                    case "rows": FileHandle.standardOutput.write(Data((try Rows(store).line + "\n").utf8))
                    default: break
                    }
                }
                await engine.stop()
                exit(0)
            }
            while !isQuiet.load(ordering: .relaxed) {
                try writer.write()
                try await Task.sleep(for: .seconds(1 / rate))
            }
            try writer.look()
            try await group.waitForAll()
        }
    }

    /// The lines of standard input; a thread of its own waits for them.
    private static func commands() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}
