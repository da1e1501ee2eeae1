// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What tells one state of a file from another without reading it.
struct FileStamp: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modifiedInNanoseconds: Int64
    let changedInNanoseconds: Int64
    let isFolder: Bool

    /// - Returns: nil when there is no such file.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
        }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        modifiedInNanoseconds = nanoseconds(status.st_mtimespec)
        changedInNanoseconds = nanoseconds(status.st_ctimespec)
        #else
        modifiedInNanoseconds = nanoseconds(status.st_mtim)
        changedInNanoseconds = nanoseconds(status.st_ctim)
        #endif
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}
