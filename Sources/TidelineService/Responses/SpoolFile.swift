// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A finished answer in a file without a name: it is gone with its last reader, and with the process.
///
/// Read in any order from any thread; it never changes.
public final class SpoolFile: Sendable {
    /// The number of bytes.
    public let count: Int
    /// The open file, as the system knows it.
    let descriptor: Int32
    /// Where the bytes begin in the file.
    private let start: Int

    /// - Parameter file: an open file that this object owns from now on.
    init(owning file: Int32, count: Int, start: Int = 0) {
        descriptor = file
        self.start = start
        self.count = count
    }

    /// A file of these bytes, without a name, in a folder.
    ///
    /// - Throws: ``SpoolError`` when it cannot be made or written.
    package convenience init(of bytes: [UInt8], in folder: String) throws(SpoolError) {
        let file = try SpoolWriter.open(in: folder)
        var done = 0
        while done < bytes.count {
            let start = done
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(file, buffer.baseAddress?.advanced(by: start), bytes.count - start, off_t(start))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let reason = errno
                close(file)
                throw SpoolError(.write, reason: reason)
            }
            done += written
        }
        self.init(owning: file, count: bytes.count)
    }

    deinit { close(descriptor) }

    /// Bytes from `offset`: `count` of them, or fewer at the end.
    ///
    /// - Throws: ``SpoolError`` when the disk fails.
    public func bytes(at offset: Int, count: Int) throws(SpoolError) -> [UInt8] {
        let wanted = max(0, min(count, self.count - offset))
        var bytes = [UInt8](repeating: 0, count: wanted)
        var done = 0
        while done < wanted {
            let start = done
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: start),
                    wanted - start,
                    off_t(self.start + offset + start)
                )
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw SpoolError(.read, reason: got == 0 ? EIO : errno) }
            done += got
        }
        return bytes
    }
}
