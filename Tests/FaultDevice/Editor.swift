// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// Makes the changes of one transaction by chance; every text that it writes is unique: `d1.17.2` is the second change
/// of the seventeenth transaction of the device d1.
struct Editor {
    let device: String
    var random: SeededNumbers

    /// Makes two marks and one to four changes.
    ///
    /// Every third transaction only inserts, and refers to what the server has: it can meet no conflict, nor hang on one
    /// that does, so nothing may pass it.
    mutating func edit(_ transaction: LocalTransaction, number: Int) throws {
        let mark = "\(device).\(number).0"
        try transaction.insert(Event(id: 0, name: mark))
        for place in 1...Int.random(in: 1...4, using: &random) {
            let text = "\(device).\(number).\(place)"
            try change(transaction, isInsert: number.isMultiple(of: 3), text: text)
        }
        try transaction.insert(Echo(id: 0, name: mark))
    }

    private mutating func change(_ transaction: LocalTransaction, isInsert: Bool, text: String) throws {
        let boats = try transaction.fetch(isInsert ? Boat.where { $0.id > 0 } : Boat.all)
        guard var boat = boats.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<(isInsert ? 4 : 10), using: &random) {
        case 0:
            try transaction.insert(Boat(id: 0, name: text))
        case 1, 2, 3:
            try transaction.insert(Trip(id: 0, boatId: boat.id, name: text))
        case 4, 5:
            guard var trip = try self.trip(transaction) else { return }
            trip.name = text
            try transaction.update(trip)
        case 6:
            guard let trip = try self.trip(transaction) else { return }
            try transaction.delete(trip)
        case 7:
            boat.name = text
            try transaction.update(boat)
        default:
            boat.motto = text
            try transaction.update(boat)
        }
    }

    private mutating func trip(_ transaction: LocalTransaction) throws -> Trip? {
        try transaction.fetch(Trip.all).randomElement(using: &random)
    }
}
