// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import Synchronization

/// What SQLite asks of the disk, each with SQLite's result code.
extension SimulatedDisk {
    /// A file as one connection has it open.
    final class Handle: Sendable {
        let disk: SimulatedDisk
        let file: DiskFile
        let name: String
        /// In which life of the disk it was opened.
        let life: Int
        /// Whether its first sync syncs the folder too: so SQLite does for a journal that it made.
        private let syncsFolder: Mutex<Bool>

        init(disk: SimulatedDisk, file: DiskFile, name: String, life: Int, syncsFolder: Bool) {
            self.disk = disk
            self.file = file
            self.name = name
            self.life = life
            self.syncsFolder = Mutex(syncsFolder)
        }

        /// Whether the disk is as it was when the file was opened: nobody dead uses it.
        var isAlive: Bool { disk.state.withLock { $0.image == nil && $0.life == life } }

        func write(_ bytes: [UInt8], at offset: Int, _ body: (Int) -> Int32) -> Int32 {
            disk.state.withLock { state in
                guard state.life == life else { return SQLITE_IOERR | (3 << 8) }
                let operation = DiskOperation(kind: .write, file: name, offset: Int64(offset), count: bytes.count)
                let verdict = state.admit(
                    operation,
                    needsSpace: offset + bytes.count > file.size,
                    failure: SQLITE_IOERR | (3 << 8),
                    in: disk.folder
                )
                switch verdict {
                case .goes:
                    state.note(write: bytes, at: offset, of: file)
                    return body(bytes.count)
                case .fails(let code, let count):
                    guard state.image == nil, count > 0 else { return code }
                    state.note(write: Array(bytes.prefix(count)), at: offset, of: file)
                    _ = body(count)
                    return code
                }
            }
        }

        func truncate(to size: Int, _ body: () -> Int32) -> Int32 {
            disk.state.withLock { state in
                guard state.life == life else { return SQLITE_IOERR | (6 << 8) }
                let operation = DiskOperation(kind: .truncate, file: name, offset: Int64(size))
                let failure = SQLITE_IOERR | (6 << 8)
                let verdict = state.admit(operation, needsSpace: false, failure: failure, in: disk.folder)
                guard case .goes = verdict else { return failure }
                state.note(truncate: size, of: file)
                return body()
            }
        }

        func sync() -> Int32 {
            disk.state.withLock { state in
                guard state.life == life else { return SQLITE_IOERR | (4 << 8) }
                let operation = DiskOperation(kind: .sync, file: name)
                let failure = SQLITE_IOERR | (4 << 8)
                let verdict = state.admit(operation, needsSpace: false, failure: failure, in: disk.folder)
                guard case .goes = verdict else { return failure }
                guard !state.ignoresSync else { return SQLITE_OK }
                file.history.withLock { $0.synced() }
                syncsFolder.withLock { syncsFolder in
                    if syncsFolder { state.syncFolder() }
                    syncsFolder = false
                }
                return SQLITE_OK
            }
        }
    }

    /// Opens a file by `body`, or fails.
    ///
    /// - Returns: SQLite's code, and the handle where it is 0.
    func open(_ path: String, _ flags: Int32, _ body: () -> Int32) -> (code: Int32, handle: Handle?) {
        state.withLock { state in
            let isThere = DiskFile.Identity(path: path) != nil
            let creates = flags & SQLITE_OPEN_CREATE != 0 && !isThere
            let operation = DiskOperation(kind: .open, file: name(path))
            let verdict = state.admit(operation, needsSpace: creates, failure: SQLITE_CANTOPEN, in: folder)
            guard case .goes = verdict else { return (SQLITE_CANTOPEN, nil) }
            let code = body()
            guard code == SQLITE_OK else { return (code, nil) }
            guard let file = state.file(path) else { return (SQLITE_CANTOPEN, nil) }
            if creates { state.made.insert(name(path)) }
            let journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL
            let syncsFolder = flags & SQLITE_OPEN_CREATE != 0 && flags & journals != 0
            let handle = Handle(
                disk: self,
                file: file,
                name: name(path),
                life: state.life,
                syncsFolder: syncsFolder
            )
            return (SQLITE_OK, handle)
        }
    }

    /// Removes a file by `body`.
    func delete(_ path: String, syncsFolder: Bool, _ body: () -> Int32) -> Int32 {
        state.withLock { state in
            let failure = SQLITE_IOERR | (10 << 8)
            let operation = DiskOperation(kind: .delete, file: name(path))
            let verdict = state.admit(operation, needsSpace: false, failure: failure, in: folder)
            guard case .goes = verdict else { return failure }
            let file = state.file(path)
            let code = body()
            guard code == SQLITE_OK else { return code }
            if state.made.remove(name(path)) == nil, let file { state.removed[name(path)] = file }
            if syncsFolder, !state.ignoresSync { state.syncFolder() }
            return code
        }
    }
}
