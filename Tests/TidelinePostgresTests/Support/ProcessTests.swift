// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import Testing
import TidelineTestSupport

/// Programs that tests start, several at once.
struct ProcessTests {
    private static func program(_ path: String, _ arguments: [String] = []) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        return process
    }

    /// Starts a program that lives until its input ends, as a server does.
    private static func beginServer() throws -> Pipe {
        let server = program("/bin/cat")
        server.standardOutput = FileHandle.nullDevice
        return try server.begin {
            let orders = Pipe()
            server.standardInput = orders
            return orders
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `what a program writes ends with it, though others that live longer are started at that moment`() {
        let orders = Mutex<[Pipe]>([])
        let isOver = Atomic(false)
        // Where a server had the output of an echo, the echo's reader would wait for the server's end.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
            isOver.store(true, ordering: .releasing)
            for pipe in orders.withLock(\.self) { try? pipe.fileHandleForWriting.close() }
        }
        let results = Crowd.run(8) { turn, awaitAll in
            awaitAll()
            for round in 0..<40 {
                if turn < 3 {
                    let pipe = try Self.beginServer()
                    orders.withLock { $0.append(pipe) }
                } else {
                    let echo = Self.program("/bin/echo", ["\(round)"])
                    let output = try echo.begin {
                        let output = Pipe()
                        echo.standardOutput = output
                        return output
                    }
                    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                    echo.waitUntilExit()
                    guard text == "\(round)\n", echo.terminationStatus == 0 else { return text }
                }
            }
            return isOver.load(ordering: .acquiring) ? "too late" : "done"
        }
        for pipe in orders.withLock(\.self) { try? pipe.fileHandleForWriting.close() }
        #expect(results == ["done": 8])
    }
}
