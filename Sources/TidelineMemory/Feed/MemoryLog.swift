// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The committed changes, in the order of their commits.
///
/// A position is a number of entries and the nonce of the last one: it names a snapshot, because what a snapshot sees of
/// the log is always a beginning of it, in whatever order transactions began.
struct MemoryLog: Sendable {
    private static let chunkSize = 256

    let epoch: [UInt8]
    /// How many entries were removed at the beginning.
    private(set) var compacted = 0
    /// The others, all chunks full but the last one.
    private var chunks: [[LogEntry]] = []

    init(epoch: [UInt8]) { self.epoch = epoch }

    /// The number of all entries that there ever were.
    var end: Int { compacted + (chunks.isEmpty ? 0 : (chunks.count - 1) * Self.chunkSize + (chunks.last?.count ?? 0)) }

    subscript(place: Int) -> LogEntry {
        let kept = place - compacted
        return chunks[kept / Self.chunkSize][kept % Self.chunkSize]
    }

    mutating func append(_ entry: LogEntry) {
        if chunks.last.map({ $0.count < Self.chunkSize }) != true { chunks.append([]) }
        chunks[chunks.count - 1].append(entry)
    }

    /// Removes all but the newest entries; the newest one stays.
    mutating func compact(keeping entries: Int) {
        let end = end
        let first = max(compacted, end - max(entries, 1))
        guard first > compacted else { return }
        let kept = (first..<end).map { self[$0] }
        chunks = []
        compacted = first
        for entry in kept { append(entry) }
    }

    /// The end of the log.
    var position: FeedPosition { position(at: end) }

    /// The position after so many entries.
    ///
    /// One byte of format, the epoch, the number of entries, the nonce of the last one.
    func position(at end: Int) -> FeedPosition {
        let nonce = end > compacted ? self[end - 1].nonce : 0
        return FeedPosition(bytes: [2] + epoch + Self.bytes(UInt64(end)) + Self.bytes(nonce))
    }

    /// How many entries a position has seen.
    ///
    /// - Throws: ``StorageError`` with `gone`, `epochChanged` or `logRestored` when what follows it is not known.
    func entries(seenBy position: FeedPosition) throws -> Int {
        let bytes = position.bytes
        guard bytes.count == 17 + epoch.count, bytes[0] == 2 else {
            throw StorageError(.gone, message: "The position is none of this log.")
        }
        guard bytes[1...].starts(with: epoch) else {
            throw StorageError(.epochChanged, message: "The change log was begun anew after the position was given.")
        }
        let seen = Self.number(bytes[(1 + epoch.count)...].prefix(8))
        let nonce = Self.number(bytes.suffix(8))
        guard seen <= end else { throw restored }
        guard seen > compacted || seen == 0 && compacted == 0 else {
            throw StorageError(.gone, message: "The changes after the position are no longer kept.")
        }
        guard seen == 0 || self[Int(seen) - 1].nonce == nonce else { throw restored }
        return Int(seen)
    }

    private var restored: StorageError {
        StorageError(.logRestored, message: "The store does not have the last change that the position has seen.")
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - $0 * 8)) }
    }
}
