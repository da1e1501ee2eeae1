// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import TidelineServer

@Suite("What a commit tells the events")
struct CommitHintTests {
    @Test("the millionth commit reaches its receiver by no longer a way than the first")
    func aMillion() {
        let hint = CommitHint()
        let depths = Mutex((first: 0, last: 0, count: 0))
        let outside = Self.stack()
        hint.onCommit {
            let depth = outside - Self.stack()
            depths.withLock { depths in
                if depths.count == 0 { depths.first = depth }
                depths.last = depth
                depths.count += 1
            }
        }
        for _ in 0..<1_000_000 {
            hint.committed()
            guard depths.withLock({ $0.last <= $0.first + 10_000 }) else { break }
        }
        let seen = depths.withLock { $0 }
        #expect(seen.count == 1_000_000)
        #expect(seen.last == seen.first)
    }

    /// Where the stack of this thread is, in bytes; it grows downwards.
    @inline(never)
    private static func stack() -> Int {
        var place: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &place) { Int(bitPattern: $0) }
    }
}
