// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's calls on files, where their names are also those of functions here.
///
/// Each leaves its reason in `errno`.
enum SystemFile {
    /// A descriptor, or a negative number.
    static func open(_ path: String, _ flags: Int32, permissions: UInt32 = 0) -> Int32 {
        #if canImport(Glibc)
        unsafe Glibc.open(path, flags, mode_t(permissions))
        #elseif canImport(Musl)
        unsafe Musl.open(path, flags, mode_t(permissions))
        #else
        unsafe Darwin.open(path, flags, mode_t(permissions))
        #endif
    }

    /// The bytes read, zero at the end of the file, or a negative number.
    static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        unsafe Musl.read(file, buffer.baseAddress, buffer.count)
        #else
        unsafe Darwin.read(file, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Writes all of the bytes.
    ///
    /// - Returns: false when the disk is full or fails; some may be written then.
    static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let start = done
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(file, UnsafeRawBufferPointer(rebasing: buffer[start...]))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            done += written
        }
        return true
    }

    private static func write(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe Glibc.write(file, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        unsafe Musl.write(file, buffer.baseAddress, buffer.count)
        #else
        unsafe Darwin.write(file, buffer.baseAddress, buffer.count)
        #endif
    }
}
