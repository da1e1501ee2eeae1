// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The bytes of an answer: few in memory, many in a file that has no name.
public enum ResponseBody: Sendable {
    case bytes([UInt8])
    case spool(SpoolFile)

    /// The number of bytes.
    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .spool(let file): file.count
        }
    }

    /// All bytes at once: for tests and for bodies known to be small.
    ///
    /// - Throws: ``SpoolError`` when the file cannot be read.
    public func all() throws(SpoolError) -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .spool(let file): try file.bytes(at: 0, count: file.count)
        }
    }
}
