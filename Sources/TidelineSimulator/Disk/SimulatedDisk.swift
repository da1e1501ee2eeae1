// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A folder whose disk can be full, can fail and can lose its power, for databases that SQLite opens in it.
///
///     let disk = try SimulatedDisk()
///     disk.plan(.crash(.synced), at: 12)
///     try? work(in: disk.folder)          // its twelfth operation and all later ones fail
///     try disk.restart()
///     try look(at: disk.folder)           // what a power failure left of it
///
/// The files are real, and so is SQLite; between them stands ``DiskVFS``. Counted are the operations of SQLite that
/// change files, see ``DiskOperation``, from one. After a crash nothing that was open changes anything any more, also
/// after ``restart()``; what the program does to files meanwhile is undone by it.
///
/// Of the names in the folder: those that SQLite makes and removes are on the disk from the next sync of the folder on,
/// which SQLite asks for with the first sync of a journal. What the program does itself, without SQLite, is on the disk
/// at once: links, renames, removals, and the bytes of files that it writes. No bytes change without being written.
package final class SimulatedDisk: Sendable {
    struct State {
        var operations: [DiskOperation] = []
        var fault: (index: Int, fault: DiskFault)?
        var isFull = false
        /// Whether a sync keeps nothing: a fault of the disk that tests have to notice.
        var ignoresSync = false
        /// Counts the crashes: what was opened before one is dead.
        var life = 0
        /// What the power failure left, until the restart.
        var image: DiskImage?
        var serial = 0
        var files: [DiskFile.Identity: DiskFile] = [:]
        /// Names that SQLite made, and those that it removed, since the folder was synced.
        var made: Set<String> = []
        var removed: [String: DiskFile] = [:]
    }

    /// The folder, with no link in its path.
    package let folder: String
    let state = Mutex(State())

    /// Makes an empty folder: in memory where the machine has such a place.
    package init() throws {
        let memory = "/dev/shm"
        let parent = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        let path = "\(parent)/tideline-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        DiskVFS.register(self)
    }

    deinit {
        DiskVFS.forget(folder)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The operations since the disk was made, or since ``beginCounting()``.
    package var operations: [DiskOperation] { state.withLock(\.operations) }

    /// Whether the power failed and is not back.
    package var isCrashed: Bool { state.withLock { $0.image != nil } }

    /// Counts from one again, with no fault planned.
    package func beginCounting() {
        state.withLock { state in
            state.operations = []
            state.fault = nil
            state.isFull = false
        }
    }

    /// Lets an operation meet a fault.
    ///
    /// - Parameter index: which of the operations that are counted, from one.
    package func plan(_ fault: DiskFault, at index: Int) {
        state.withLock { $0.fault = (index, fault) }
    }

    /// Gives a full disk space again.
    package func relieve() { state.withLock { $0.isFull = false } }

    /// Whether syncs keep nothing from now on, as with a disk that lies.
    package func ignoreSyncs(_ ignores: Bool) { state.withLock { $0.ignoresSync = ignores } }

    /// Lets the power fail now.
    package func crash(keeping: DiskKeeping) {
        state.withLock { $0.crash(keeping, in: folder) }
    }

    /// Gives the power back: the folder holds what the failure left of it, and nothing is open.
    ///
    /// Without a crash it does nothing.
    package func restart() throws {
        try state.withLock { state in
            guard let image = state.image else { return }
            try image.layOut(in: folder)
            let (operations, ignoresSync, life) = (state.operations, state.ignoresSync, state.life)
            state = State(operations: operations, ignoresSync: ignoresSync, life: life)
        }
    }

    /// What the folder holds; what is open goes on.
    ///
    /// - Parameter keeping: what would be left of it if the power failed now.
    func image(_ keeping: DiskKeeping = .all) -> DiskImage {
        state.withLock { state in
            guard state.image == nil else { return DiskImage() }
            return state.surviving(keeping, in: folder)
        }
    }

    /// Makes the folder hold what it once held: whatever is open is dead.
    func set(_ image: DiskImage) throws {
        state.withLock { state in
            state.crash(.all, in: folder)
            state.image = image
        }
        try restart()
    }

    /// The path within the folder.
    func name(_ path: String) -> String { String(path.dropFirst(folder.utf8.count + 1)) }
}
