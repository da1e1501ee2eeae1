// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import Synchronization

/// The layer between SQLite and the operating system: SQLite's own, but for files in the folders of simulated disks.
///
/// Installed once as the default; what is opened elsewhere goes to SQLite's own layer, and never comes here again.
/// Source: SQLite, "The OS Interface or VFS" (vfs.html), and the comments on `sqlite3_vfs` in `sqlite3.h`.
enum DiskVFS {
    private struct Entry {
        weak var disk: SimulatedDisk?
    }

    /// The disks by their folder.
    private static let disks = Mutex<[String: Entry]>([:])

    /// SQLite's own layer.
    ///
    /// Never written after it was found.
    nonisolated(unsafe) static let real: UnsafeMutablePointer<sqlite3_vfs>? = {
        sqlite3_initialize() == SQLITE_OK ? unsafe sqlite3_vfs_find(nil) : nil
    }()

    /// Installs the layer when the first disk is made.
    private static let installation: Int32 = {
        guard let real = unsafe real else { return SQLITE_ERROR }
        // For ever: SQLite keeps the pointer.
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe vfs.initialize(to: real.pointee)
        unsafe vfs.pointee.iVersion = min(real.pointee.iVersion, 2)
        unsafe vfs.pointee.szOsFile = Int32(DiskMethods.headerSize) + real.pointee.szOsFile
        unsafe vfs.pointee.pNext = nil
        let name = "tideline-disk".utf8CString
        let label = UnsafeMutablePointer<CChar>.allocate(capacity: name.count)
        for (place, letter) in name.enumerated() { unsafe label[place] = letter }
        unsafe vfs.pointee.zName = unsafe UnsafePointer(label)
        unsafe vfs.pointee.xOpen = { _, name, file, flags, out in unsafe DiskVFS.open(name, file, flags, out) }
        unsafe vfs.pointee.xDelete = { _, name, syncsFolder in unsafe DiskVFS.delete(name, syncsFolder) }
        unsafe vfs.pointee.xAccess = { _, name, flags, out in unsafe DiskVFS.access(name, flags, out) }
        return unsafe sqlite3_vfs_register(vfs, 1)
    }()

    static func register(_ disk: SimulatedDisk) {
        precondition(installation == SQLITE_OK, "SQLite takes no layer of ours.")
        disks.withLock { $0[disk.folder] = Entry(disk: disk) }
    }

    static func forget(_ folder: String) { disks.withLock { $0[folder] = nil } }

    /// The disk that a file lies on, or `nil`.
    private static func disk(_ name: UnsafePointer<CChar>?) -> (disk: SimulatedDisk, path: String)? {
        guard let name = unsafe name else { return nil }
        let path = unsafe String(cString: name)
        return disks.withLock { disks in
            for (folder, entry) in disks where path.hasPrefix(folder + "/") {
                if let disk = entry.disk { return (disk, path) }
            }
            return nil
        }
    }

    private static func open(
        _ name: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32,
        _ out: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let real = unsafe real, let file = unsafe file else { return SQLITE_CANTOPEN }
        guard let (disk, path) = unsafe disk(name) else {
            return unsafe real.pointee.xOpen(real, name, file, flags, out)
        }
        // SQLite closes what it could not open when there are methods.
        unsafe file.pointee.pMethods = nil
        let below = unsafe DiskMethods.below(file)
        let (code, handle) = disk.open(path, flags) { unsafe real.pointee.xOpen(real, name, below, flags, out) }
        guard let handle else { return code }
        unsafe DiskMethods.attach(handle, to: file)
        return SQLITE_OK
    }

    private static func delete(_ name: UnsafePointer<CChar>?, _ syncsFolder: Int32) -> Int32 {
        guard let real = unsafe real else { return SQLITE_IOERR }
        guard let (disk, path) = unsafe disk(name) else { return unsafe real.pointee.xDelete(real, name, syncsFolder) }
        // The folder need not be synced below: the disk knows what is on it.
        return disk.delete(path, syncsFolder: syncsFolder != 0) { unsafe real.pointee.xDelete(real, name, 0) }
    }

    private static func access(
        _ name: UnsafePointer<CChar>?,
        _ flags: Int32,
        _ out: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let real = unsafe real else { return SQLITE_IOERR }
        if let (disk, _) = unsafe disk(name), disk.isCrashed { return SQLITE_IOERR | (13 << 8) }
        return unsafe real.pointee.xAccess(real, name, flags, out)
    }
}
