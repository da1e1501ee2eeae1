// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// Shared by all: devices rename them, nobody deletes one.
@Entity("Boats")
struct Boat: Hashable, Sendable {
    @Key(generated: true) var id: Int64
    var name: String
    var motto: String?
}

/// Belongs to a boat; made, renamed and deleted.
@Entity("Trips")
struct Trip: Hashable, Sendable {
    @Key(generated: true) var id: Int64
    @Reference("Boat", to: Boat.self) var boatId: Int64
    var name: String
}

/// The mark of a transaction, added once and never changed.
@Entity("Events")
struct Event: Hashable, Sendable {
    @Key(generated: true) var id: Int64
    var name: String
}

/// The other mark of the same transaction: one without the other is half of a transaction.
@Entity("Echoes")
struct Echo: Hashable, Sendable {
    @Key(generated: true) var id: Int64
    var name: String
}
