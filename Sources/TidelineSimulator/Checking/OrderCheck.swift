// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// V4: what builds on an earlier transaction of its device takes effect after it.
///
/// The service numbers the events as they come. Transactions that have nothing to do with each other may pass: one that
/// meets a change of the service is merged and sent again, and holds up no other. What a person sent again from the
/// quarantine comes later than its turn. A row that its device deletes before it was sent is not sent at all: what touches
/// it, and what it refers to, builds on nothing. A row that the service lost when it went back is inserted again by the
/// first transaction that waits and changed it: who made it may come later, from a copy of the file. A reference that lost
/// against another one, as its device's log of conflicts tells in the end, builds on nothing.
struct OrderCheck: Check {
    static let number = "V4"

    /// What came before that which a reference of it builds on, unless the reference lost.
    private struct Suspicion {
        var author: String
        /// The rows with the reference, by set.
        var rows: [String: Set<Key>]
    }

    private let model: EntityModel
    private let places: [[Int]]
    /// Every text that the service ever had.
    private var arrived: Set<String> = []
    /// Those that it had since it went back, or from the beginning.
    private var since: Set<String> = []
    /// Those that came before the event of their transaction, since the service went back.
    private var early: Set<String> = []
    private var wasRestored = false
    /// By what is to be said of it.
    private var suspicions: [String: Suspicion] = [:]

    init(model: EntityModel) {
        self.model = model
        places = WrittenValue.places(in: model)
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        if case .restored = observation { (wasRestored, since) = (true, []) }
        if case .quiet(_, let devices) = observation { return standing(devices) }
        guard case .service(let state) = observation else { return [] }
        var texts: Set<String> = []
        for (index, rows) in state.sets.enumerated() {
            for row in rows.values { for place in places[index] { row[place].text.map { _ = texts.insert($0) } } }
        }
        var marks: [(number: Int64, event: Int)] = []
        for (key, text) in OnceCheck.marks(Regatta.events, state, model) {
            guard case .integer(let number)? = key.values.first, let event = WrittenValue.event(of: text) else {
                continue
            }
            marks.append((number, event))
        }
        let there = Set(marks.map(\.event))
        if wasRestored {
            early.formUnion(
                texts.subtracting(since).filter { text in
                    WrittenValue.event(of: text).map { !there.contains($0) } ?? false
                }
            )
        }
        since.formUnion(texts)
        arrived.formUnion(texts)
        var before: [String: [WriteRecord]] = [:]
        var found: [String] = []
        // What is there twice, which is for V3 to tell, took effect when it was there first.
        var done = Set<Int>()
        for (_, event) in marks.sorted(by: { $0.number < $1.number }) where done.insert(event).inserted {
            guard let write = writes[event], !write.wasHeld else { continue }
            for later in before[write.author] ?? [] where later.event > event {
                let gone = gone(since: later, writes).union(early)
                let text = "\(write.author)'s w\(event) took effect after its w\(later.event), which builds on it"
                let referring = later.referring(to: write, without: gone)
                if later.touches(write, without: gone) {
                    found.append(text)
                } else if !referring.isEmpty, suspicions[text] == nil {
                    suspicions[text] = Suspicion(author: write.author, rows: rows(with: referring, in: state))
                }
            }
            before[write.author, default: []].append(write)
        }
        return found
    }

    private func rows(with texts: Set<String>, in state: NodeState) -> [String: Set<Key>] {
        var found: [String: Set<Key>] = [:]
        for (index, rows) in state.sets.enumerated() {
            let keys = rows.filter { row in places[index].contains { row.value[$0].text.map(texts.contains) ?? false } }
            found[model.sets[index].names.wire] = Set(keys.keys)
        }
        return found
    }

    /// What is to be said of references that did not lose.
    private func standing(_ devices: [Observation.QuietDevice]) -> [String] {
        suspicions.filter { _, suspicion in
            let log = devices.first { $0.name == suspicion.author }?.conflicts ?? []
            let lost = suspicion.rows.allSatisfy { set, keys in
                keys.allSatisfy { key in log.contains { $0.set == set && $0.key == key && hasLostReference($0) } }
            }
            return !lost || suspicion.rows.values.allSatisfy(\.isEmpty)
        }.keys.sorted()
    }

    private func hasLostReference(_ conflict: Conflict) -> Bool {
        guard let type = model[set: conflict.set]?.type else { return false }
        let sources = type.navigationProperties.filter(\.isDependent).flatMap(\.constraints).map(\.source)
        let names = Set(sources.map { type.properties[$0].names.wire })
        return conflict.properties.contains { !$0.mineWon && names.contains($0.name) }
    }

    /// The texts, now and before, of rows that never came to the service and that their device deleted, in a transaction
    /// or after it.
    private func gone(since write: WriteRecord, _ writes: [Int: WriteRecord]) -> Set<String> {
        let own = writes.values.filter { $0.author == write.author }.sorted { $0.event > $1.event }
        var gone: Set<String> = []
        for other in own {
            if other.event >= write.event { gone.formUnion(other.deleted) }
            for (text, under) in other.overwrote where gone.contains(text) { gone.insert(under) }
        }
        return gone.subtracting(arrived)
    }
}
