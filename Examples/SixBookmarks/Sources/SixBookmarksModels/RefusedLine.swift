// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// A change that the service refused, as a person reads it.
public struct RefusedLine: Hashable, Sendable, Identifiable {
    /// The number of its entry in the quarantine.
    public let id: Int64
    /// What was done to which bookmark.
    public let title: String
    /// Why the service refused it.
    public let reason: String

    init(_ entry: QuarantinedTransaction, names: [Int32: String]) {
        id = entry.id
        reason = entry.message
        title = entry.changes.map { change in
            let what =
                switch change.operation {
                case .insert: "New"
                case .update: "Changed"
                case .delete: "Deleted"
                }
            guard case .integer(let key) = change.key.values.first, let name = names[Int32(truncatingIfNeeded: key)]
            else { return what }
            return "\(what): \(name)"
        }.joined(separator: ", ")
    }
}
