// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V4: what builds on an earlier transaction of its device takes effect after it.
///
/// The service numbers the events as they come. Transactions that have nothing to do with each other may pass: one that
/// meets a change of the service is merged and sent again, and holds up no other. What a person sent again from the
/// quarantine comes later than its turn. A row that its device deletes before it was sent is not sent at all: what touches
/// it, and what it refers to, builds on nothing. Of a transaction that is merged, changes of a row that the service lost
/// go along with the insert of an earlier one: what touches that row afterwards does not wait for the rest.
struct OrderCheck: Check {
    static let number = "V4"

    private let model: EntityModel
    private let places: [[Int]]
    /// Every text that the service ever had.
    private var arrived: Set<String> = []
    /// Those that came before the event of their transaction, since the service went back.
    private var early: Set<String> = []
    private var wasRestored = false

    init(model: EntityModel) {
        self.model = model
        places = model.sets.map { WrittenValue.places(of: $0.type) }
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        if case .restored = observation { wasRestored = true }
        guard case .service(let state) = observation else { return [] }
        let known = arrived
        for (index, rows) in state.sets.enumerated() {
            for row in rows.values { for place in places[index] { row[place].text.map { _ = arrived.insert($0) } } }
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
                arrived.subtracting(known).filter { text in
                    WrittenValue.event(of: text).map { !there.contains($0) } ?? false
                }
            )
        }
        var before: [String: [WriteRecord]] = [:]
        var found: [String] = []
        for (_, event) in marks.sorted(by: { $0.number < $1.number }) {
            guard let write = writes[event], !write.wasHeld else { continue }
            for later in before[write.author] ?? [] where later.event > event {
                guard later.builds(on: write, without: gone(since: later, writes).union(early)) else { continue }
                found.append("\(write.author)'s w\(event) took effect after its w\(later.event), which builds on it")
            }
            before[write.author, default: []].append(write)
        }
        return found
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
