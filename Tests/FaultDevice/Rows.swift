// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tideline

/// All that a device has, of one snapshot, and what waits there.
struct Rows: Encodable {
    var pending: Int
    var quarantined: Int
    var failure: String?
    /// By set, the rows as texts.
    var sets: [String: [[String?]]]

    init(_ store: LocalStore) throws {
        sets = try store.read { reader in
            [
                "Boats": try reader.fetch(Boat.all).map { ["\($0.id)", $0.name, $0.motto] },
                "Trips": try reader.fetch(Trip.all).map { ["\($0.id)", "\($0.boatId)", $0.name] },
                "Events": try reader.fetch(Event.all).map { ["\($0.id)", $0.name] },
                "Echoes": try reader.fetch(Echo.all).map { ["\($0.id)", $0.name] },
            ]
        }
        let status = try store.status()
        (pending, quarantined) = (status.pendingTransactions, status.quarantined)
        failure = status.lastFailure?.message
    }

    var line: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
