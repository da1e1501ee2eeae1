// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineSimulator

struct FileHistoryTests {
    /// Two sectors of `a`; then the first is written twice, the file grows by a sector, and is cut to one and a half.
    private static let start = [UInt8](repeating: 97, count: 1024)

    private func history() -> (FileHistory, [UInt8]) {
        var history = FileHistory()
        var bytes = Self.start
        func write(_ letter: UInt8, _ offset: Int, _ count: Int, _ serial: Int) {
            let before = Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
            let after = [UInt8](repeating: letter, count: count)
            history.append(
                .write(offset: offset, before: before, after: after),
                serial: serial,
                sizeBefore: bytes.count
            )
            bytes.replaceSubrange(offset..<offset + before.count, with: after.prefix(before.count))
            bytes.append(contentsOf: after.dropFirst(before.count))
        }
        write(98, 0, 512, 1)
        write(99, 0, 512, 2)
        write(100, 1024, 512, 3)
        history.append(.truncate(size: 768, cut: Array(bytes[768...])), serial: 4, sizeBefore: bytes.count)
        bytes.removeLast(bytes.count - 768)
        return (history, bytes)
    }

    @Test func `all is what is there and nothing is what the sync left`() {
        let (history, bytes) = history()
        var chance = DiskChance(seed: 1)
        #expect(history.surviving(bytes, .all, isTorn: false, &chance) == bytes)
        #expect(history.surviving(bytes, .synced, isTorn: false, &chance) == Self.start)
        var synced = history
        synced.synced()
        #expect(synced.surviving(bytes, .synced, isTorn: false, &chance) == bytes)
    }

    @Test func `of a torn write the first half is there`() {
        var history = FileHistory()
        let after = [UInt8](repeating: 98, count: 1024)
        history.append(.write(offset: 0, before: Self.start, after: after), serial: 1, sizeBefore: 1024)
        var chance = DiskChance(seed: 1)
        let torn = history.surviving(after, .torn, isTorn: true, &chance)
        #expect(torn == [UInt8](repeating: 98, count: 512) + [UInt8](repeating: 97, count: 512))
        #expect(history.surviving(after, .torn, isTorn: false, &chance) == after)
    }

    @Test func `of some writes each sector is one that was there, and every mixture comes`() {
        let (history, bytes) = history()
        var found: Set<String> = []
        for seed in 1...400 {
            var chance = DiskChance(seed: UInt64(seed))
            let left = history.surviving(bytes, .some(seed: UInt64(seed)), isTorn: false, &chance)
            var text = ""
            for start in stride(from: 0, to: left.count, by: 256) {
                let part = Set(left[start..<min(start + 256, left.count)])
                #expect(part.count == 1, "half a sector at \(start)")
                text.unicodeScalars.append(Unicode.Scalar(part.first ?? 63))
            }
            found.insert(text)
        }
        // Lengths 1024 (also before the growth), 1536 and 768; first sector a, b or c; the third d or never written.
        let lengths = ["aa", "aa\u{0}\u{0}", "aadd", "a"]
        let wanted = Set(["aa", "bb", "cc"].flatMap { first in lengths.map { first + $0 } })
        #expect(found == wanted)
    }
}
