// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization
import TidelineSQLite

/// Memory and locks, as an operating system asks for them.
extension LocalStore {
    /// Gives back the memory that is only for speed: caches of pages, compiled statements, idle readers.
    ///
    /// Waits for the reads and the write that run. For example after a memory warning, or when the app goes to the
    /// background.
    public func releaseMemory() throws {
        try onWriter { $0.forgetStatements() }
        try SQLiteRefusal.translated { try readers.release() }
        pool.releaseMemory()
    }

    /// Lets go of the file's locks before the process is put to sleep.
    ///
    /// A write that runs is interrupted and undone; it throws ``LocalStoreError/Code/suspended``, as every write does
    /// until ``resume()``. A read that runs may be interrupted too, and throws; later ones go on. On iOS a suspended process that holds a lock of a shared file is ended by the
    /// system: call it when the app goes to the background. No device was at hand to try that.
    public func suspend() throws {
        isSuspended.withLock { $0 = true }
        pool.interrupt()
        readers.interrupt()
        // No write runs when this came through the queue.
        try onWriter { $0.forgetStatements() }
    }

    /// Takes writes again.
    public func resume() { isSuspended.withLock { $0 = false } }

    func checkAwake() throws {
        guard !isSuspended.withLock({ $0 }) else {
            throw LocalStoreError(.suspended, message: "The store is suspended. Call resume() before writing.")
        }
    }
}
