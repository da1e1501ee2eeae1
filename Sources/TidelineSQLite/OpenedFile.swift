// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file that a path named when it was opened.
///
/// Who has a database open goes on reading and writing the file, also when it was removed or another one was put in its
/// place; what it writes is lost with the last connection.
package struct OpenedFile: Sendable {
    private let path: String
    private let device: UInt64
    private let inode: UInt64

    /// - Returns: `nil` where the path names no file, as on a disk that is not the system's.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.path = path
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Whether the path names the same file still.
    package var isInPlace: Bool {
        guard let now = OpenedFile(path) else { return false }
        return now.device == device && now.inode == inode
    }

    /// Whether the path names no file at all.
    package var isGone: Bool { OpenedFile(path) == nil }

    /// Whether the file could be written now.
    package var isWritable: Bool { unsafe access(path, W_OK) == 0 }
}
