// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What was done to a file since its last sync, so that each state that a power failure may leave can be made.
///
/// A value: it knows bytes, and no files.
struct FileHistory {
    /// One change of a file's bytes, with what it destroyed.
    enum Change {
        /// `before` are the bytes that were overwritten; fewer than `after` where the file grew.
        case write(offset: Int, before: [UInt8], after: [UInt8])
        /// `cut` are the bytes that were behind the new end; `size` the new length.
        case truncate(size: Int, cut: [UInt8])
    }

    /// The unit that a disk writes whole or not at all.
    static let sector = 512

    /// Each change with its number among all of the disk.
    private(set) var changes: [(serial: Int, change: Change, sizeBefore: Int)] = []

    /// The number of the newest change, or `nil` when all is synced.
    var newest: Int? { changes.last?.serial }

    mutating func append(_ change: Change, serial: Int, sizeBefore: Int) {
        changes.append((serial, change, sizeBefore))
    }

    mutating func synced() { changes.removeAll() }

    /// What is left of a file whose bytes are `current`.
    ///
    /// - Parameter isTorn: whether the newest change of the disk is of this file.
    func surviving(_ current: [UInt8], _ keeping: DiskKeeping, isTorn: Bool, _ chance: inout DiskChance) -> [UInt8] {
        guard !changes.isEmpty else { return current }
        switch keeping {
        case .all: return current
        case .synced: return undone(current, changes.count)
        case .torn: return isTorn ? torn(current) : current
        case .some:
            switch chance.below(4) {
            case 0: return current
            case 1: return undone(current, changes.count)
            default: return mixed(current, &chance)
            }
        }
    }

    /// The bytes before the last `count` changes.
    private func undone(_ current: [UInt8], _ count: Int) -> [UInt8] {
        var bytes = current
        for (_, change, sizeBefore) in changes.suffix(count).reversed() {
            switch change {
            case .write(let offset, let before, _):
                if bytes.count > sizeBefore { bytes.removeLast(bytes.count - sizeBefore) }
                if !before.isEmpty { bytes.replaceSubrange(offset..<offset + before.count, with: before) }
            case .truncate(let size, let cut):
                resize(&bytes, to: size)
                bytes.append(contentsOf: cut)
                resize(&bytes, to: sizeBefore)
            }
        }
        return bytes
    }

    private func torn(_ current: [UInt8]) -> [UInt8] {
        guard case .write(let offset, _, let after)? = changes.last?.change else { return current }
        var bytes = undone(current, 1)
        apply(.write(offset: offset, before: [], after: Array(after.prefix(Self.half(after.count)))), to: &bytes)
        return bytes
    }

    /// Half of a write: whole sectors where it has several.
    static func half(_ count: Int) -> Int {
        let half = count / 2
        return half > sector ? half - half % sector : half
    }

    /// Each sector, and the length, as after some number of the changes.
    private func mixed(_ current: [UInt8], _ chance: inout DiskChance) -> [UInt8] {
        var running = undone(current, changes.count)
        var result = running
        let length = chance.below(changes.count + 1)
        var size = running.count
        // By sector: after how many changes it was written. Asked for once, in the order of the changes.
        var chosen: [Int: Int] = [:]
        for (place, entry) in changes.enumerated() {
            apply(entry.change, to: &running)
            if place + 1 == length { size = running.count }
            guard case .write(let offset, _, let after) = entry.change, !after.isEmpty else { continue }
            for sector in offset / Self.sector...(offset + after.count - 1) / Self.sector {
                let until = chosen[sector] ?? chance.below(changes.count + 1)
                chosen[sector] = until
                guard place < until else { continue }
                copy(sector, from: running, to: &result)
            }
        }
        resize(&result, to: size)
        return result
    }

    private func copy(_ sector: Int, from source: [UInt8], to target: inout [UInt8]) {
        let start = sector * Self.sector
        let end = min(start + Self.sector, source.count)
        guard start < end else { return }
        if target.count < end { resize(&target, to: end) }
        target.replaceSubrange(start..<end, with: source[start..<end])
    }

    private func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, _, let after):
            if bytes.count < offset + after.count { resize(&bytes, to: offset + after.count) }
            bytes.replaceSubrange(offset..<offset + after.count, with: after)
        case .truncate(let size, _): resize(&bytes, to: size)
        }
    }

    private func resize(_ bytes: inout [UInt8], to size: Int) {
        if bytes.count > size {
            bytes.removeLast(bytes.count - size)
        } else {
            bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
        }
    }
}
