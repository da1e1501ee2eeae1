// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

/// Makes the changes of one transaction of a person at a device, by chance.
struct Editor {
    let event: Int
    let user: UserContext
    var chance: Chance
    /// The keys of the berths that it deleted and inserted again.
    private(set) var rebuilt: Set<Key> = []
    private var deletedBerths: Set<Key> = []
    private var place = 0

    init(event: Int, user: UserContext, chance: Chance) {
        self.event = event
        self.user = user
        self.chance = chance
    }

    /// Makes some changes.
    ///
    /// - Returns: what was done, for people.
    mutating func edit(_ transaction: LocalTransaction, isMarked: Bool) throws -> [String] {
        var done: [String] = []
        for _ in 0..<chance.element([1, 1, 1, 2, 2, 3, 5, 8], or: 1) { done.append(try change(transaction)) }
        if isMarked {
            let name: [String: Value] = ["Name": .string(WriteRecord(author: "", event: event, isMarked: true).mark)]
            _ = try transaction.insert(name, into: Regatta.events)
            _ = try transaction.insert(name, into: Regatta.echoes)
            done.append("mark")
        }
        return done
    }

    /// A text that nothing else writes.
    private mutating func text(_ part: String = "") -> Value {
        .string(WrittenValue.text(event: event, place: place, part))
    }

    private mutating func change(_ transaction: LocalTransaction) throws -> String {
        place += 1
        switch chance.below(20) {
        case 0, 1: return try insertTeam(transaction)
        case 2, 3: return try insert("Boats", "TeamId", of: "Teams", transaction)
        case 4, 5: return try insert("Trips", "BoatId", of: "Boats", transaction)
        case 6: return try insertBerth(transaction)
        case 7: return try insertCrew(transaction)
        case 8, 9: return try insertDiary(transaction)
        case 10: return try delete(transaction)
        case 11: return try lead(transaction)
        case 12: return try move(transaction)
        case 13: return try rank(transaction)
        case 14: return try count(transaction)
        default: return try rename(transaction)
        }
    }

    /// A key of a set as the transaction sees it, or `nil` when it is empty.
    private mutating func key(_ set: String, _ transaction: LocalTransaction) throws -> Key? {
        guard let entitySet = transaction.model[set: set] else { return nil }
        let plan = ReadPlan(model: transaction.model, set: entitySet, columns: entitySet.type.key, includesETag: false)
        let rows = KeyList(entitySet)
        _ = try transaction.fetch(plan, into: rows.collector)
        return chance.element(try rows.keys())
    }

    private mutating func insertTeam(_ transaction: LocalTransaction) throws -> String {
        var row = ["Name": text()]
        if chance.once(in: 3), let leader = try key("Teams", transaction) { row["LeaderId"] = leader.values[0] }
        return "insert \(Editor.text(try transaction.insert(row, into: "Teams"))) into Teams"
    }

    /// A row below another one, which is made first where there is none.
    private mutating func insert(
        _ set: String,
        _ property: String,
        of parents: String,
        _ transaction: LocalTransaction
    ) throws -> String {
        guard let parent = try key(parents, transaction) else { return try insertTeam(transaction) }
        let key = try transaction.insert([property: parent.values[0], "Name": text()], into: set)
        return "insert \(Editor.text(key)) of \(Editor.text(parent)) into \(set)"
    }

    private mutating func insertBerth(_ transaction: LocalTransaction) throws -> String {
        let (code, rank) = ("B\(chance.below(9))", chance.below(14))
        let key = Key([.string(code)])
        guard try transaction.entity(key, in: "Berths") == nil else {
            // The same key once more, in the place of the old row.
            try transaction.delete(key, in: "Berths")
            let row: [String: Value] = ["Code": .string(code), "Rank": .integer(Int64(rank)), "Name": text()]
            _ = try transaction.insert(row, into: "Berths")
            rebuilt.insert(key)
            return "replace berth \(code) with rank \(rank)"
        }
        let row: [String: Value] = ["Code": .string(code), "Rank": .integer(Int64(rank)), "Name": text()]
        _ = try transaction.insert(row, into: "Berths")
        if deletedBerths.contains(key) { rebuilt.insert(key) }
        return "insert berth \(code) with rank \(rank)"
    }

    private mutating func insertCrew(_ transaction: LocalTransaction) throws -> String {
        guard let trip = try key("Trips", transaction), let berth = try key("Berths", transaction) else {
            return try insertTeam(transaction)
        }
        let key = Key(trip.values + berth.values)
        if try transaction.entity(key, in: "Crews") != nil {
            try transaction.delete(key, in: "Crews")
            return "delete crew \(Editor.text(key))"
        }
        let row = ["TripId": trip.values[0], "BerthCode": berth.values[0], "Name": text()]
        _ = try transaction.insert(row, into: "Crews")
        return "insert crew \(Editor.text(key))"
    }

    private mutating func insertDiary(_ transaction: LocalTransaction) throws -> String {
        let key = try transaction.insert(["Owner": user.id, "Name": text()], into: Regatta.diary)
        return "insert \(Editor.text(key)) into Diary"
    }

    private mutating func delete(_ transaction: LocalTransaction) throws -> String {
        let set = chance.element(["Teams", "Boats", "Trips", "Trips", "Berths", "Diary", "Diary"], or: "Trips")
        guard let key = try key(set, transaction) else { return try insertTeam(transaction) }
        try transaction.delete(key, in: set)
        if set == Regatta.berths { deletedBerths.insert(key) }
        return "delete \(Editor.text(key)) in \(set)"
    }

    private mutating func lead(_ transaction: LocalTransaction) throws -> String {
        guard let team = try key("Teams", transaction), let leader = try key("Teams", transaction) else {
            return try insertTeam(transaction)
        }
        let value = chance.once(in: 4) ? .null : leader.values[0]
        try transaction.update(team, ["LeaderId": value], in: "Teams")
        return "LeaderId of \(Editor.text(team)) = \(value.text ?? "null")"
    }

    private mutating func move(_ transaction: LocalTransaction) throws -> String {
        let isBoat = chance.once(in: 2)
        let (set, property, parents) = isBoat ? ("Boats", "TeamId", "Teams") : ("Trips", "BoatId", "Boats")
        guard let row = try key(set, transaction), let parent = try key(parents, transaction) else {
            return try insertTeam(transaction)
        }
        try transaction.update(row, [property: parent.values[0]], in: set)
        return "move \(Editor.text(row)) in \(set) to \(Editor.text(parent))"
    }

    /// Another rank, or a swap of two.
    private mutating func rank(_ transaction: LocalTransaction) throws -> String {
        guard let one = try key("Berths", transaction), let other = try key("Berths", transaction) else {
            return try insertBerth(transaction)
        }
        guard one != other, chance.once(in: 2), let first = try transaction.entity(one, in: "Berths")?["Rank"],
            let second = try transaction.entity(other, in: "Berths")?["Rank"]
        else {
            let rank = chance.below(14)
            try transaction.update(one, ["Rank": .integer(Int64(rank))], in: "Berths")
            return "Rank of \(Editor.text(one)) = \(rank)"
        }
        try transaction.update(one, ["Rank": second], in: "Berths")
        try transaction.update(other, ["Rank": first], in: "Berths")
        return "swap the ranks of \(Editor.text(one)) and \(Editor.text(other))"
    }

    private mutating func count(_ transaction: LocalTransaction) throws -> String {
        guard let boat = try key("Boats", transaction) else { return try insertTeam(transaction) }
        let miles = try transaction.entity(boat, in: "Boats")?["Miles"]
        guard case .integer(let number)? = miles else { return "no miles" }
        let more = Int64(chance.number(1...9))
        try transaction.update(boat, ["Miles": .integer(number + more)], in: "Boats")
        return "Miles of \(Editor.text(boat)) + \(more)"
    }

    private mutating func rename(_ transaction: LocalTransaction) throws -> String {
        let (set, property) = chance.element(
            [
                ("Teams", "Name"), ("Teams", "Motto"), ("Boats", "Name"), ("Boats", "Motto"), ("Trips", "Name"),
                ("Trips", "Motto"), ("Berths", "Name"), ("Crews", "Name"), ("Diary", "Name"),
            ],
            or: ("Teams", "Name")
        )
        guard let key = try key(set, transaction) else { return try insertTeam(transaction) }
        try transaction.update(key, [property: text()], in: set)
        return "\(property) of \(Editor.text(key)) in \(set)"
    }

    static func text(_ key: Key) -> String { key.values.map { $0.text ?? "?" }.joined(separator: "/") }
}

extension Chance {
    /// An element of a list that is not empty.
    mutating func element<Element>(_ elements: [Element], or first: Element) -> Element { element(elements) ?? first }
}
