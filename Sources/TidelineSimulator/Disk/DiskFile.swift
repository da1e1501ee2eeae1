// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that the disk knows, whatever its names: the bytes that are there, and how they came since the last sync.
final class DiskFile: Sendable {
    /// What tells a file from all others of the machine while it is open.
    struct Identity: Hashable {
        var device: UInt64
        var node: UInt64
    }

    let identity: Identity
    /// Reads the bytes, also when the file has no name any more.
    private let descriptor: Int32
    let history = Mutex(FileHistory())

    /// The file of that name, or `nil` when there is none.
    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else {
            close(descriptor)
            return nil
        }
        identity = Identity(information)
    }

    deinit { close(descriptor) }

    var size: Int {
        var information = stat()
        return unsafe fstat(descriptor, &information) == 0 ? Int(information.st_size) : 0
    }

    /// The bytes from `offset` on, at most `count`.
    func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var done = 0
            while done < count {
                let step = unsafe pread(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + done },
                    count - done,
                    off_t(offset + done)
                )
                guard step > 0 else { break }
                done += step
            }
            filled = done
        }
    }
}

extension DiskFile.Identity {
    /// That of the file of a name, or `nil` when there is none.
    init?(path: String) {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    init(_ information: stat) {
        self.init(device: UInt64(information.st_dev), node: UInt64(information.st_ino))
    }
}
