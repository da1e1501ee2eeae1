// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Synchronization
import TidelineModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The content of a stream on its way into a file: written piece by piece, so that no memory holds it.
///
/// It is gone with this object, unless it was given a place.
public final class MediaUpload: Sendable {
    /// The most bytes that it takes.
    public let limit: Int
    let path: String
    private let file: Int32
    /// What was written so far; guarded by its lock.
    private let state: Mutex<State>

    private struct State {
        var hash = SHA256()
        var count = 0
        var name: String?
    }

    init(owning file: Int32, path: String, limit: Int) {
        self.file = file
        self.path = path
        self.limit = limit
        state = Mutex(State())
    }

    deinit {
        close(file)
        // Where it has its place this finds nothing.
        unsafe unlink(path)
    }

    /// The bytes that were written.
    public var count: Int { state.withLock { $0.count } }

    /// Writes the next piece.
    ///
    /// Blocks.
    /// - Returns: false when there would be more than ``limit`` bytes; nothing is written then.
    /// - Throws: ``SpoolError`` when the disk is full or fails.
    public func append(_ bytes: [UInt8]) throws(SpoolError) -> Bool {
        let isFitting = state.withLock { state in
            guard state.count + bytes.count <= limit else { return false }
            state.count += bytes.count
            state.hash.update(data: bytes)
            return true
        }
        guard isFitting else { return false }
        guard SystemFile.write(bytes, to: file) else { throw SpoolError(.write, reason: errno) }
        return true
    }

    /// Brings the bytes to the disk.
    ///
    /// - Returns: the name of the file: the SHA-256 of its bytes in hexadecimal digits.
    func finish() throws(SpoolError) -> String {
        if let name = state.withLock({ $0.name }) { return name }
        guard fsync(file) == 0 else { throw SpoolError(.write, reason: errno) }
        return state.withLock { state in
            let name = Hexadecimal.text(state.hash.finalize())
            state.name = name
            return name
        }
    }
}
