// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import Synchronization

/// What an operation is to do.
enum DiskVerdict {
    case goes
    /// It fails with SQLite's result code, after so many of its bytes.
    case fails(Int32, after: Int)
}

extension SimulatedDisk.State {
    /// Counts an operation and tells what becomes of it.
    ///
    /// - Parameters:
    ///   - needsSpace: whether a full disk refuses it.
    ///   - failure: SQLite's code for an operation of the kind that fails.
    mutating func admit(_ operation: DiskOperation, needsSpace: Bool, failure: Int32, in folder: String) -> DiskVerdict
    {
        guard image == nil else { return .fails(failure, after: 0) }
        operations.append(operation)
        var isFailing = false
        if let fault, fault.index == operations.count {
            switch fault.fault {
            case .full: isFull = true
            case .failure: isFailing = true
            case .crash(let keeping):
                crash(keeping, in: folder)
                return .fails(failure, after: 0)
            }
        }
        let half = FileHistory.half(operation.count)
        if isFailing { return .fails(failure, after: half) }
        guard isFull, needsSpace else { return .goes }
        return .fails(operation.kind == .write ? SQLITE_FULL : failure, after: half)
    }

    /// The file of a name, known from now on; `nil` when there is none.
    mutating func file(_ path: String) -> DiskFile? {
        guard let identity = DiskFile.Identity(path: path) else { return nil }
        if let known = files[identity] { return known }
        guard let file = DiskFile(path) else { return nil }
        files[file.identity] = file
        return file
    }

    /// Notes a write before it is done.
    mutating func note(write bytes: [UInt8], at offset: Int, of file: DiskFile) {
        serial += 1
        let size = file.size
        let before = file.bytes(at: offset, min(bytes.count, max(size - offset, 0)))
        file.history.withLock {
            $0.append(.write(offset: offset, before: before, after: bytes), serial: serial, sizeBefore: size)
        }
    }

    /// Notes a truncation before it is done.
    mutating func note(truncate size: Int, of file: DiskFile) {
        serial += 1
        let old = file.size
        let cut = file.bytes(at: size, max(old - size, 0))
        file.history.withLock { $0.append(.truncate(size: size, cut: cut), serial: serial, sizeBefore: old) }
    }

    /// What is in the folder is on the disk.
    mutating func syncFolder() {
        made = []
        removed = [:]
    }

    // MARK: Losing power

    mutating func crash(_ keeping: DiskKeeping, in folder: String) {
        guard image == nil else { return }
        image = surviving(keeping, in: folder)
        life += 1
        // What the dead have open stays theirs.
        files = [:]
        syncFolder()
    }

    func surviving(_ keeping: DiskKeeping, in folder: String) -> DiskImage {
        var chance = DiskChance(seed: 0)
        if case .some(let seed) = keeping { chance = DiskChance(seed: seed) }
        let newest = files.values.compactMap { $0.history.withLock(\.newest) }.max()
        var image = DiskImage()
        let names = DiskImage.paths(in: folder)
        image.folders = names.folders
        for path in names.files where !DiskImage.isMemory(path) {
            let isKept = made.contains(path) ? Self.keepsName(keeping, &chance) : true
            guard isKept else { continue }
            let full = "\(folder)/\(path)"
            guard let file = DiskFile.Identity(path: full).flatMap({ files[$0] }) ?? DiskFile(full) else { continue }
            image.files[path] = Self.surviving(file, keeping, newest, &chance)
        }
        for (path, file) in removed.sorted(by: { $0.key < $1.key }) where image.files[path] == nil {
            // The program syncs the folder after it removed a database: nothing beside it comes back.
            guard image.files[Self.database(of: path)] != nil, !Self.keepsName(keeping, &chance) else { continue }
            image.files[path] = Self.surviving(file, keeping, newest, &chance)
        }
        return image
    }

    /// The database that a journal or log lies beside, by its name.
    private static func database(of path: String) -> String {
        for suffix in ["-wal", "-journal"] where path.hasSuffix(suffix) { return String(path.dropLast(suffix.count)) }
        return path
    }

    private static func surviving(
        _ file: DiskFile,
        _ keeping: DiskKeeping,
        _ newest: Int?,
        _ chance: inout DiskChance
    ) -> [UInt8] {
        file.history.withLock { history in
            let isTorn = newest != nil && history.newest == newest
            return history.surviving(file.bytes(at: 0, file.size), keeping, isTorn: isTorn, &chance)
        }
    }

    /// Whether a change of the folder that was not synced is kept.
    private static func keepsName(_ keeping: DiskKeeping, _ chance: inout DiskChance) -> Bool {
        switch keeping {
        case .all, .torn: true
        case .synced: false
        case .some: chance.below(2) == 0
        }
    }
}
