// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Threads that all want the same thing at once.
public enum Crowd {
    /// Runs `body` on `count` threads, and waits until all have ended.
    ///
    /// - Parameter body: is given its turn, from 0, and a function that returns when all threads have begun.
    /// - Returns: how many ended with each result; an error counts as its description.
    public static func run(
        _ count: Int,
        _ body: @escaping @Sendable (_ turn: Int, _ awaitAll: @Sendable () -> Void) throws -> String
    ) -> [String: Int] {
        let (begun, done) = (DispatchGroup(), DispatchGroup())
        let results = Mutex<[String: Int]>([:])
        for _ in 0..<count { begun.enter() }
        for turn in 0..<count {
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                begun.leave()
                let result: String
                do { result = try body(turn) { begun.wait() } } catch { result = "\(error)" }
                results.withLock { $0[result, default: 0] += 1 }
            }
        }
        done.wait()
        return results.withLock(\.self)
    }
}
