// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows that are gone from the service: deleted, replaced by another one with their key, or lost when it went back to a
/// backup.
///
/// Update beats delete, and no device knows of another: each that had changed such a row inserts it again, whole, under a
/// key of its own where the service makes the keys. What stood in it may so stand in as many rows as devices changed
/// it, and in no more.
///
/// Where the service went back there may be two more: the row as it was before it was deleted, which is there again, and
/// that of the device that had inserted it, where it had no answer yet and sends it again.
struct LostRows {
    private let places: [[Int]]
    /// The rows at the last look.
    private var rows: [[Key: [Value]]] = []
    /// What stood in each of them since it came.
    private var histories: [[Key: Set<String>]]
    /// All that stood in the rows that are gone, by each text that did.
    private var kin: [String: Set<String>] = [:]
    /// The texts that waited on devices when the service went back, until it is seen what was lost.
    private var waiting: Set<String>?
    /// Of these, those that were lost with the service.
    private var unanswered: Set<String> = []
    /// The texts of rows that were there again when the service had gone back.
    private var returned: Set<String> = []

    /// - Parameter places: those of the texts in the rows of each set.
    init(places: [[Int]]) {
        self.places = places
        histories = places.map { _ in [:] }
    }

    /// Notes that the service goes back.
    ///
    /// - Parameter texts: those that wait on devices.
    mutating func goBack(waiting texts: Set<String>) { waiting = texts }

    mutating func follow(_ state: NodeState) {
        for (index, now) in state.sets.enumerated() {
            let before = rows.isEmpty ? [:] : rows[index]
            for (key, row) in now where before[key] != row {
                let texts = Set(places[index].compactMap { row[$0].text })
                if let stood = histories[index][key], OtherProgram.made(row, after: stood) { lose(key, of: index) }
                histories[index][key, default: []].formUnion(texts)
                guard waiting != nil else { continue }
                returned.formUnion(texts.subtracting(places[index].compactMap { before[key]?[$0].text }))
            }
            for key in before.keys where now[key] == nil { lose(key, of: index) }
        }
        rows = state.sets
        waiting = nil
    }

    private mutating func lose(_ key: Key, of index: Int) {
        let texts = histories[index].removeValue(forKey: key) ?? []
        for text in texts { kin[text, default: []].formUnion(texts) }
        if let waiting { unanswered.formUnion(texts.intersection(waiting)) }
    }

    /// The most rows that a text may stand in.
    func mostRows(of text: String, _ writes: [Int: WriteRecord]) -> Int {
        guard let kin = kin[text] else { return 1 }
        let sentAgain = kin.intersection(unanswered)
        let changes = writes.values.filter {
            (!$0.touched.isDisjoint(with: kin) || !$0.inserted.isDisjoint(with: sentAgain))
                && $0.deleted.isDisjoint(with: kin)
        }
        return max(Set(changes.map(\.author)).count + (returned.contains(text) ? 1 : 0), 1)
    }
}
