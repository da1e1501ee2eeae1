// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// The methods of a file on a simulated disk.
///
/// The memory that SQLite gives a file holds a header of ours, then the file of the layer below:
///
///     | methods | handle | file of SQLite's own layer ... |
enum DiskMethods {
    @unsafe private struct Header {
        var base: sqlite3_file
        /// Owned: released when the file is closed.
        var handle: Unmanaged<SimulatedDisk.Handle>
    }

    static let headerSize = unsafe (MemoryLayout<Header>.size + 15) & ~15

    /// The file of the layer below.
    static func below(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        unsafe (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
    }

    static func attach(_ handle: SimulatedDisk.Handle, to file: UnsafeMutablePointer<sqlite3_file>) {
        let header = unsafe Header(
            base: sqlite3_file(pMethods: UnsafePointer(methods)),
            handle: Unmanaged.passRetained(handle)
        )
        unsafe UnsafeMutableRawPointer(file).initializeMemory(as: Header.self, repeating: header, count: 1)
    }

    private static func handle(_ file: UnsafeMutablePointer<sqlite3_file>) -> SimulatedDisk.Handle {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: Header.self).pointee.handle
            .takeUnretainedValue()
    }

    /// Calls the layer below, unless whoever has the file open is dead.
    private static func alive(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
    ) -> Int32 {
        guard let file = unsafe file, unsafe handle(file).isAlive else { return SQLITE_IOERR }
        return unsafe through(file, body)
    }

    /// Calls the layer below.
    private static func through(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
    ) -> Int32 {
        guard let file = unsafe file else { return SQLITE_IOERR }
        let below = unsafe below(file)
        guard let methods = unsafe below.pointee.pMethods else { return SQLITE_IOERR }
        return unsafe body(below, methods.pointee)
    }

    /// For ever, and never changed after it was made: SQLite keeps the pointer.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        var table = sqlite3_io_methods()
        // 2: shared memory, but no memory-mapped pages, whose changes nobody would see.
        table.iVersion = 2
        setBytes(&table)
        setLocks(&table)
        setSharedMemory(&table)
        unsafe methods.initialize(to: table)
        return unsafe methods
    }()

    private static func setBytes(_ table: inout sqlite3_io_methods) {
        unsafe table.xClose = { file in
            guard let file = unsafe file else { return SQLITE_IOERR }
            unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: Header.self).pointee.handle.release()
            return unsafe DiskMethods.through(file) { unsafe $1.xClose($0) }
        }
        unsafe table.xRead = { file, bytes, count, offset in
            unsafe DiskMethods.alive(file) { unsafe $1.xRead($0, bytes, count, offset) }
        }
        unsafe table.xWrite = { file, bytes, count, offset in
            guard let file = unsafe file, let bytes = unsafe bytes else { return SQLITE_IOERR }
            let content = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return unsafe DiskMethods.handle(file).write(content, at: Int(offset)) { count in
                unsafe DiskMethods.through(file) { unsafe $1.xWrite($0, bytes, Int32(count), offset) }
            }
        }
        unsafe table.xTruncate = { file, size in
            guard let file = unsafe file else { return SQLITE_IOERR }
            return unsafe DiskMethods.handle(file).truncate(to: Int(size)) {
                unsafe DiskMethods.through(file) { unsafe $1.xTruncate($0, size) }
            }
        }
        unsafe table.xSync = { file, _ in
            guard let file = unsafe file else { return SQLITE_IOERR }
            return unsafe DiskMethods.handle(file).sync()
        }
        unsafe table.xFileSize = { file, size in
            unsafe DiskMethods.alive(file) { unsafe $1.xFileSize($0, size) }
        }
    }

    private static func setLocks(_ table: inout sqlite3_io_methods) {
        unsafe table.xLock = { file, level in unsafe DiskMethods.alive(file) { unsafe $1.xLock($0, level) } }
        unsafe table.xUnlock = { file, level in unsafe DiskMethods.through(file) { unsafe $1.xUnlock($0, level) } }
        unsafe table.xCheckReservedLock = { file, out in
            unsafe DiskMethods.alive(file) { unsafe $1.xCheckReservedLock($0, out) }
        }
        unsafe table.xFileControl = { file, operation, argument in
            switch operation {
            // Both change the file, or map it, past the methods of this table.
            case SQLITE_FCNTL_SIZE_HINT: return SQLITE_OK
            case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND
            default: return unsafe DiskMethods.through(file) { unsafe $1.xFileControl($0, operation, argument) }
            }
        }
        unsafe table.xSectorSize = { file in unsafe DiskMethods.through(file) { unsafe $1.xSectorSize($0) } }
        unsafe table.xDeviceCharacteristics = { file in
            unsafe DiskMethods.through(file) { unsafe $1.xDeviceCharacteristics($0) }
        }
    }

    private static func setSharedMemory(_ table: inout sqlite3_io_methods) {
        unsafe table.xShmMap = { file, page, size, extends, out in
            unsafe DiskMethods.alive(file) { unsafe $1.xShmMap($0, page, size, extends, out) }
        }
        unsafe table.xShmLock = { file, offset, count, flags in
            // The dead let their locks go.
            flags & SQLITE_SHM_UNLOCK != 0
                ? unsafe DiskMethods.through(file) { unsafe $1.xShmLock($0, offset, count, flags) }
                : unsafe DiskMethods.alive(file) { unsafe $1.xShmLock($0, offset, count, flags) }
        }
        unsafe table.xShmBarrier = { file in
            _ = unsafe DiskMethods.through(file) { below, methods in
                unsafe methods.xShmBarrier(below)
                return SQLITE_OK
            }
        }
        unsafe table.xShmUnmap = { file, removes in
            guard let file = unsafe file else { return SQLITE_IOERR }
            // The name may be that of another life by now.
            let removes = unsafe DiskMethods.handle(file).isAlive ? removes : 0
            return unsafe DiskMethods.through(file) { unsafe $1.xShmUnmap($0, removes) }
        }
    }
}
