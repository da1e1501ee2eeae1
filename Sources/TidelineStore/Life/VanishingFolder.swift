// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder for its owner alone that goes with its last user.
final class VanishingFolder: Sendable {
    let path: String

    /// - Throws: ``LocalStoreError/Code/io``.
    init() throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/tideline-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
            return unsafe String(cString: name)
        }
        guard let made else { throw FileSystem.failed("A temporary folder cannot be made in '\(parent)'") }
        path = made
    }

    deinit { remove() }

    func remove() {
        for name in FileSystem.names(in: path) { FileSystem.remove(path + "/" + name) }
        _ = unsafe rmdir(path)
    }
}
