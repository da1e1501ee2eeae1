// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// One change of the conflict log.
enum ConflictChange: Hashable, Sendable {
    case add(LoggedConflict)
    case close(id: Int64)
    case remove(id: Int64)
    case restore(id: Int64, time: Int64)

    func apply(to conflicts: inout [LoggedConflict]) {
        switch self {
        case .add(var conflict):
            conflict.id = (conflicts.last?.id ?? 0) + 1
            conflicts.append(conflict)
        case .close(let id):
            for place in conflicts.indices where conflicts[place].id == id { conflicts[place].isOpen = false }
        case .remove(let id): conflicts.removeAll { $0.id == id }
        case .restore(let id, let time):
            for place in conflicts.indices where conflicts[place].id == id { conflicts[place].restoredAt = time }
        }
    }

    /// The entries that a compaction leaves.
    static func kept(_ conflicts: [LoggedConflict], _ retention: LogRetention, now: Int64) -> [LoggedConflict] {
        var bytes: Int64 = 0
        let newest = conflicts.reversed().prefix(Int(ConflictRetention.entries)).prefix { conflict in
            bytes += Int64((conflict.lost?.utf8.count ?? 0) + (conflict.won?.utf8.count ?? 0))
            return bytes <= ConflictRetention.bytes
        }
        return newest.reversed().filter { conflict in retention.seconds.map { conflict.time >= now - $0 } ?? true }
    }
}
