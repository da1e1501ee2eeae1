// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization
import TidelineClient
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// The edits, syncs and decisions of one random run, and what may be said of its end.
final class RandomRun: Sendable {
    private struct State {
        var trace: [String] = []
        var serial = 0
        /// The events that were inserted and not given up: each must be there once.
        var events: Set<String> = []
        /// The last value that the only device which writes a property gave it, by property and key.
        var last: [String: String] = [:]
        /// Parents that anybody deleted, or whose changes were given up.
        var spoiled: Set<String> = []
        /// Syncs that failed though nothing was wrong with the network.
        var stuck: [String] = []
    }

    /// One change of a transaction.
    private struct Act: Sendable {
        var text: String
        var run: @Sendable (LocalTransaction) throws -> Void
        var event: String?
        var last: (place: String, value: String)?
        var deleted: Value?

        init(_ text: String, _ run: @escaping @Sendable (LocalTransaction) throws -> Void) {
            self.text = text
            self.run = run
        }
    }

    static let schema = World.schema + "CREATE TABLE Events (Id INTEGER PRIMARY KEY AUTOINCREMENT, Text TEXT NOT NULL);"

    let world: World
    private let chance: Chance
    private let state = Mutex(State())

    init(_ world: World, _ chance: Chance) {
        self.world = world
        self.chance = chance
    }

    var trace: String { state.withLock { $0.trace.joined(separator: "\n") } }

    private func note(_ text: String) { state.withLock { $0.trace.append(text) } }

    private func serial() -> Int {
        state.withLock { state in
            state.serial += 1
            return state.serial
        }
    }

    // MARK: Edits

    private func keys(_ set: String, _ device: Device) throws -> [Value] {
        let entitySet = device.store.model[set: set]
        guard let entitySet else { return [] }
        let plan = ReadPlan(
            model: device.store.model,
            set: entitySet,
            columns: Array(entitySet.type.properties.indices)
        )
        let name = entitySet.type.properties[entitySet.type.key[0]].names.wire
        return try device.store.read { try $0.fetch(plan) }.compactMap { $0[name] }.sorted { "\($0)" < "\($1)" }
    }

    /// One transaction of one to three changes.
    ///
    /// What the store refuses changes nothing.
    func edit(_ device: Device) async {
        let count = chance.below(3) == 0 ? 1 + chance.below(3) : 1
        do {
            var acts: [Act] = []
            for _ in 0..<count { acts.append(try act(device)) }
            let chosen = acts
            _ = try await device.store.write { transaction in for act in chosen { try act.run(transaction) } }
            state.withLock { state in
                state.trace.append("\(device.name): \(chosen.map(\.text).joined(separator: "; "))")
                for act in chosen {
                    if let event = act.event { state.events.insert(event) }
                    if let (place, value) = act.last { state.last[place] = value }
                    if let key = act.deleted { state.spoiled.insert(key.text ?? "") }
                }
            }
        } catch {
            note("\(device.name): refused \(error)")
        }
    }

    private func act(_ device: Device) throws -> Act {
        let serial = serial()
        let parent = chance.element(try keys("Parents", device)) ?? .integer(1)
        let product = chance.element(try keys("Products", device)) ?? .string("P1")
        let child = chance.element(try keys("Children", device)) ?? .integer(1)
        switch chance.below(16) {
        case 0:
            return Act("insert parent p\(serial)") {
                _ = try $0.insert(["Name": .string("p\(serial)")], into: "Parents")
            }
        case 1, 2:
            return Act("insert child c\(serial) of \(parent)") {
                _ = try $0.insert(["ParentId": parent, "Label": .string("c\(serial)")], into: "Children")
            }
        case 3:
            return Act("insert family f\(serial)") {
                let key = try $0.insert(["Name": .string("f\(serial)")], into: "Parents")
                _ = try $0.insert(["ParentId": key.values[0], "Label": .string("f\(serial)")], into: "Children")
            }
        case 4, 5, 6: return own(device, parent, serial)
        case 7:
            return Act("Name of \(parent) = n\(serial)") {
                _ = try $0.update(Key([parent]), ["Name": .string("n\(serial)")], in: "Parents")
            }
        case 8:
            var act = Act("delete parent \(parent)") { _ = try $0.delete(Key([parent]), in: "Parents") }
            act.deleted = parent
            return act
        case 9:
            return Act("move child \(child) to \(parent)") {
                _ = try $0.update(Key([child]), ["ParentId": parent], in: "Children")
            }
        case 10: return Act("delete child \(child)") { _ = try $0.delete(Key([child]), in: "Children") }
        case 11: return insertProduct(serial)
        case 12:
            let rank = Int64(chance.below(8))
            return Act("rank of \(product) = \(rank)") {
                _ = try $0.update(Key([product]), ["Rank": .integer(rank)], in: "Products")
            }
        case 13: return Act("delete product \(product)") { _ = try $0.delete(Key([product]), in: "Products") }
        case 14:
            return Act("name of \(product) = m\(serial)") {
                _ = try $0.update(Key([product]), ["Name": .string("m\(serial)")], in: "Products")
            }
        default:
            var act = Act("event e\(serial)") { _ = try $0.insert(["Text": .string("e\(serial)")], into: "Events") }
            act.event = "e\(serial)"
            return act
        }
    }

    /// A change of a property that only this device writes.
    private func own(_ device: Device, _ parent: Value, _ serial: Int) -> Act {
        let name = device.name == "a" ? "Note" : "Amount"
        let value: Value = device.name == "a" ? .string("v\(serial)") : .integer(Int64(serial))
        var act = Act("\(name) of \(parent) = \(value)") {
            _ = try $0.update(Key([parent]), [name: value], in: "Parents")
        }
        if case .integer(let key) = parent, key > 0 { act.last = ("\(name) \(key)", value.text ?? "") }
        return act
    }

    private func insertProduct(_ serial: Int) -> Act {
        let code = "P\(chance.below(6))"
        let rank = Int64(chance.below(8))
        return Act("insert product \(code) rank \(rank)") {
            let row: [String: Value] = ["Code": .string(code), "Rank": .integer(rank), "Name": .string("i\(serial)")]
            _ = try $0.insert(row, into: "Products")
        }
    }

    /// Another program writes to the service's database.
    func editDirectly() throws {
        let serial = serial()
        let rank = chance.below(8)
        let sql =
            switch chance.below(4) {
            case 0: "REPLACE INTO Products (Code, Rank, Name) VALUES ('P\(chance.below(6))', \(rank), 'd\(serial)')"
            case 1: "UPDATE Parents SET Name = 'd\(serial)' WHERE Id = \(1 + chance.below(5))"
            case 2: "DELETE FROM Products WHERE Rank = \(rank)"
            default: "DELETE FROM Parents WHERE Id = \(4 + chance.below(8))"
            }
        if sql.hasPrefix("DELETE FROM Parents"), let key = sql.split(separator: " ").last {
            state.withLock { _ = $0.spoiled.insert(String(key)) }
        }
        try world.execute(sql)
        note("direct: \(sql)")
    }

    // MARK: Syncs

    /// A sync over a network that fails at every fourth exchange, while somebody goes on editing.
    func sync(_ device: Device) async {
        let edits = chance.below(4) == 0
        device.transport.begin { [chance] _ in
            chance.below(4) == 0 ? chance.element(NetworkFault.allCases) : nil
        } hook: { [self] _ in
            if edits { await edit(device) }
        }
        do {
            note("\(device.name): synced \(try await device.sync())")
        } catch {
            note("\(device.name): sync failed: \(error)")
        }
        device.transport.begin()
    }

    /// Somebody looks at the quarantine.
    func decide(_ device: Device) throws {
        guard let entry = chance.element(try device.store.quarantined()) else { return }
        guard chance.below(2) == 0 else { return try discard(entry, device) }
        note("\(device.name): retry \(entry.id)")
        try device.store.retry(quarantined: entry.id)
    }

    /// Gives a transaction up, and those that build on it.
    private func discard(_ entry: QuarantinedTransaction, _ device: Device) throws {
        note("\(device.name): discard \(entry.id) \(entry.code) \(entry.message)")
        let before = try device.store.quarantined()
        try device.store.discard(quarantined: entry.id)
        let left = Set(try device.store.quarantined().map(\.id))
        for change in before.filter({ !left.contains($0.id) }).flatMap(\.changes) {
            state.withLock { state in
                if change.set == "Parents" { state.spoiled.insert(change.key.values[0].text ?? "") }
                guard change.set == "Events" else { return }
                for assignment in change.assignments { state.events.remove(assignment.after.text ?? "") }
            }
        }
    }

    /// Syncs without faults until nothing waits, gives up what is in quarantine, and syncs again.
    func settle(_ devices: [Device]) async throws {
        for round in 0..<4 {
            for device in devices {
                if round >= 1 {
                    while let entry = try device.store.quarantined().first {
                        try discard(entry, device)
                    }
                }
                do {
                    note("\(device.name): synced at the end \(try await device.sync())")
                } catch {
                    state.withLock { $0.stuck.append("\(device.name): stuck: \(error)") }
                    return
                }
            }
        }
    }

    // MARK: The end

    /// What happened twice or half, and what was lost.
    func violations() throws -> [String] {
        var found = try world.rows("SELECT Label || ' twice' FROM Children GROUP BY Label HAVING COUNT(*) > 1")
        found += try world.rows("SELECT Name || ' twice' FROM Parents GROUP BY Name HAVING COUNT(*) > 1")
        found += try world.rows(
            "SELECT Label || ' is an orphan' FROM Children WHERE ParentId NOT IN (SELECT Id FROM Parents)"
        )
        let (events, last, spoiled, stuck) = state.withLock { ($0.events, $0.last, $0.spoiled, $0.stuck) }
        if !stuck.isEmpty { return stuck }
        let stored = try world.rows("SELECT Text FROM Events")
        for event in stored where !events.contains(event) { found.append("\(event) was given up and is there") }
        for event in events {
            let count = stored.count { $0 == event }
            if count != 1 { found.append("\(event) is there \(count) times") }
        }
        for (place, value) in last {
            let words = place.split(separator: " ").map(String.init)
            guard !spoiled.contains(words[1]) else { continue }
            let rows = try world.rows("SELECT \(words[0]) FROM Parents WHERE Id = \(words[1])")
            if rows != [value] { found.append("\(place) is \(rows), not \(value)") }
        }
        return found.sorted()
    }
}
