// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineMemory
import TidelineSQLite
import TidelineStorage

/// A copy of all that a service holds.
enum ServiceCopy: Sendable {
    case file(String)
    case memory(MemoryBackup)
}

extension ServiceNode {
    /// Copies what the database holds now.
    ///
    /// - Parameter number: a number for its file that no other copy has.
    func copy(_ number: Int) throws -> ServiceCopy {
        if let store = store as? MemoryStore { return .memory(store.backup) }
        let file = "\(path).backup\(number)"
        try SQLiteBackup.write(path, to: file)
        return .file(file)
    }

    /// Goes back to a copy, and a new epoch begins.
    ///
    /// Keys are given again, as where somebody copies files.
    func restore(_ copy: ServiceCopy) throws {
        switch copy {
        case .file(let file): try SQLiteBackup.restore(file, into: path, model: model, keepsKeys: false)
        case .memory(let backup):
            (store as? MemoryStore)?.restore(backup)
            (store as? MemoryStore)?.beginEpoch()
        }
    }

    /// Cuts the change log.
    ///
    /// - Returns: how many entries went.
    func compact(to entries: Int) throws -> Int {
        try store.compact(LogRetention(entries: Int64(entries)), now: 0, limit: .max).removed
    }
}
