// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineSQLite
import TidelineStorage

/// Another program that changes rows of the service's database, by chance.
struct DirectWriter {
    let event: Int
    let model: EntityModel
    private var chance: Chance
    private var place = 0

    init(event: Int, model: EntityModel, seed: UInt64) {
        self.event = event
        self.model = model
        chance = Chance(seed, "direct", event)
    }

    /// Makes some changes in one transaction.
    ///
    /// - Returns: what was done, for people.
    mutating func write(to store: any Store) throws -> String {
        // The closure may be run again, and then does the same.
        let begin = self
        var done = ""
        try store.write { writer in
            var again = begin
            done = try again.write(writer)
        }
        return done
    }

    /// Makes the changes in a transaction that somebody else ends.
    mutating func write(_ writer: any StoreWriter) throws -> String {
        var done: [String] = []
        for _ in 0..<chance.element([1, 1, 2, 3], or: 1) {
            place += 1
            done.append(try change(writer))
        }
        return done.joined(separator: "; ")
    }

    private mutating func change(_ writer: any StoreWriter) throws -> String {
        switch chance.below(8) {
        case 0: return try insert(["Name": text()], "Teams", writer)
        case 1:
            guard let team = try key("Teams", writer) else { return "nothing" }
            return try insert(["TeamId": team.values[0], "Name": text()], "Boats", writer)
        case 2, 3: return try delete(writer)
        case 4: return try berth(writer)
        default: return try rename(writer)
        }
    }

    private func text() -> Value { .string(WrittenValue.text(event: event, place: place)) }

    private mutating func key(_ name: String, _ writer: any StoreWriter) throws -> Key? {
        guard let set = model[set: name] else { return nil }
        let plan = ReadPlan(model: model, set: set, columns: set.type.key, includesETag: false)
        let rows = KeyList(set)
        _ = try writer.read(plan, into: rows.collector)
        return chance.element(try rows.keys())
    }

    private func insert(_ row: [String: Value], _ name: String, _ writer: any StoreWriter) throws -> String {
        guard let set = model[set: name] else { return "nothing" }
        let key = try writer.insert(values(row, set), into: set)
        return "insert \(Editor.text(key)) into \(name)"
    }

    private func values(_ row: [String: Value], _ set: EntitySet) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for (name, value) in row {
            if let place = set.type.propertyIndex(wire: name) { values[place] = value }
        }
        return values
    }

    private mutating func delete(_ writer: any StoreWriter) throws -> String {
        let name = chance.element(["Teams", "Boats", "Trips", "Berths", "Diary"], or: "Trips")
        guard let set = model[set: name], let key = try key(name, writer) else { return "nothing" }
        _ = try writer.delete(key, in: set)
        return "delete \(Editor.text(key)) in \(name)"
    }

    /// A berth deleted and made again under the same key, or a new one.
    private mutating func berth(_ writer: any StoreWriter) throws -> String {
        guard let set = model[set: "Berths"] else { return "nothing" }
        let code = Value.string("B\(chance.below(9))")
        let rank = chance.below(14)
        _ = try writer.delete(Key([code]), in: set)
        let row: [String: Value] = ["Code": code, "Rank": .integer(Int64(rank)), "Name": text()]
        return try insert(row, "Berths", writer) + " with rank \(rank)"
    }

    private mutating func rename(_ writer: any StoreWriter) throws -> String {
        let names = [("Teams", "Name"), ("Boats", "Motto"), ("Trips", "Name"), ("Berths", "Name"), ("Crews", "Name")]
        let (name, property) = chance.element(names, or: ("Teams", "Name"))
        guard let set = model[set: name], let key = try key(name, writer) else { return "nothing" }
        _ = try writer.update(key, values([property: text()], set), in: set)
        return "\(property) of \(Editor.text(key)) in \(name)"
    }
}
