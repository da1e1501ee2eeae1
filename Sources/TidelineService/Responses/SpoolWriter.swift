// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import TidelineOData

/// Collects an answer of any size: in memory up to a limit, in an unlinked file of the given folder beyond it.
///
/// The read transaction that fills it ends before the first byte is sent: a slow client holds no snapshot open.
/// Used by one thread. An error of the disk is kept until ``finish()``, for bytes come from where nothing may throw.
final class SpoolWriter {
    /// Where the answer is written; ``drain(_:)`` takes its bytes.
    let output = ByteWriter(capacity: 1 << 17)
    private let folder: String
    private let memoryLimit: Int
    private var file: Int32 = -1
    private var written = 0
    private var failure: SpoolError?

    init(folder: String, memoryLimit: Int = 1 << 20) {
        self.folder = folder
        self.memoryLimit = memoryLimit
    }

    deinit { if file >= 0 { close(file) } }

    /// The number of bytes so far.
    var count: Int { written + output.count }

    /// Moves what is in memory to the file, once it is much.
    ///
    /// To be called between rows.
    func drain() {
        guard output.count >= memoryLimit, failure == nil else { return }
        flush()
    }

    /// Forgets everything after the first `count` bytes.
    func truncate(to count: Int) {
        if count >= written {
            output.truncate(to: count - written)
            return
        }
        output.truncate(to: 0)
        if ftruncate(file, off_t(count)) != 0 || lseek(file, off_t(count), SEEK_SET) < 0 {
            failure = failure ?? SpoolError(.write, reason: errno)
        }
        written = count
    }

    /// The whole answer; nothing may be appended after.
    ///
    /// - Throws: ``SpoolError`` when the disk was full or failed.
    func finish() throws(SpoolError) -> ResponseBody {
        if file >= 0 { flush() }
        if let failure { throw failure }
        if file < 0 { return .bytes(output.bytes) }
        let spool = SpoolFile(owning: file, count: written)
        file = -1
        return .spool(spool)
    }

    private func flush() {
        do throws(SpoolError) {
            if file < 0 { file = try Self.open(in: folder) }
            let file = file
            let count = output.count
            unsafe try output.drain { buffer throws(SpoolError) in
                var offset = 0
                while offset < buffer.count {
                    let done = unsafe write(file, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                    if done < 0, errno == EINTR { continue }
                    guard done > 0 else { throw SpoolError(.write, reason: errno) }
                    offset += done
                }
            }
            written += count
        } catch {
            failure = error
        }
    }

    /// A new file that has no name any more when this returns, and that no program which is started inherits.
    static func open(in folder: String) throws(SpoolError) -> Int32 {
        // Not `mkstemp`: it cannot close the file in such programs, and `mkostemp` is not in every C library.
        let path = "\(folder)/tideline-spool-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let file = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SpoolError(.create, reason: errno) }
        unsafe unlink(path)
        return file
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { unsafe open(path, flags, mode) }
