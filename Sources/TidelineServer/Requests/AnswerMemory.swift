// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How much memory the answers take that wait for their readers, all together.
///
/// What finds no room waits in a file, so that any number of slow readers holds no more than this.
final class AnswerMemory: Sendable {
    /// Room for one answer, given back when nobody has this any more.
    final class Room: Sendable {
        private let memory: AnswerMemory
        private let bytes: Int

        fileprivate init(_ memory: AnswerMemory, bytes: Int) {
            self.memory = memory
            self.bytes = bytes
        }

        deinit { memory.used.subtract(bytes, ordering: .relaxed) }
    }

    private let limit: Int
    private let used = Atomic<Int>(0)

    /// - Parameter limit: in bytes.
    init(limit: Int) { self.limit = limit }

    /// The bytes that are taken now.
    var taken: Int { used.load(ordering: .relaxed) }

    /// Room for so many bytes; `nil` where there is none.
    func room(for bytes: Int) -> Room? {
        guard used.add(bytes, ordering: .relaxed).newValue <= limit else {
            used.subtract(bytes, ordering: .relaxed)
            return nil
        }
        return Room(self, bytes: bytes)
    }
}
