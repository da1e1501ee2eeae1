// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a text file line by line, onto the disk.
@safe
final class LineWriter {
    private var file: UnsafeMutablePointer<FILE>?
    private let path: String

    /// - Throws: ``LocalStoreError/Code/io`` when a file of that name exists or cannot be made.
    init(path: String) throws {
        self.path = path
        guard let file = unsafe fopen(path, "wx") else { throw FileSystem.failed("'\(path)' cannot be made") }
        unsafe self.file = file
    }

    deinit { if let file = unsafe file { unsafe _ = fclose(file) } }

    func write(_ line: String) throws {
        guard let file = unsafe file else { return }
        let bytes = Array((line + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        guard count == bytes.count else { throw FileSystem.failed("'\(path)' cannot be written") }
    }

    /// Ends the file; it is on the disk then.
    func close() throws {
        guard let file = unsafe file else { return }
        let isKept = unsafe fflush(file) == 0 && fsync(fileno(file)) == 0
        let reason = errno
        unsafe self.file = nil
        let isClosed = unsafe fclose(file) == 0
        guard isKept, isClosed else {
            throw FileSystem.failed("'\(path)' cannot be written", reason: isKept ? errno : reason)
        }
    }
}

/// Reads a text file line by line.
@safe
final class LineReader {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private let path: String

    init(path: String) throws {
        self.path = path
        guard let file = unsafe fopen(path, "r") else { throw FileSystem.failed("'\(path)' cannot be read") }
        unsafe self.file = file
    }

    deinit {
        unsafe free(buffer)
        unsafe _ = fclose(file)
    }

    /// The next line without its end, or `nil` after the last.
    func next() throws -> String? {
        let count = unsafe getline(&buffer, &capacity, file)
        guard count >= 0, let start = unsafe buffer else {
            guard unsafe ferror(file) == 0 else { throw FileSystem.failed("'\(path)' cannot be read") }
            return nil
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        let line = unsafe bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        return unsafe String(decoding: line, as: UTF8.self)
    }
}
