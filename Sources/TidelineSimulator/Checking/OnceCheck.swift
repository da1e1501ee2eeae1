// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V3: each committed transaction takes effect once.
///
/// No value stands in two rows of the service at any time, but for ``LostRows``; at the end each mark that was not given
/// up is there. A transaction that waited in a file when it was copied, and that one of the two devices changed
/// again before it was sent, is two, and so is one that people sent again from the quarantines of both: each file sends
/// its own. So is one that the copy sent and, after the domain was published anew, the original too: nothing tells it of the
/// copy, and the service remembers nothing.
struct OnceCheck: Check {
    static let number = "V3"

    private let model: EntityModel
    private let places: [[Int]]
    /// The key under which each mark came to the service.
    private var keys: [String: Key] = [:]
    private var lost: LostRows
    /// The rows at the last look.
    private var before: NodeState?
    private var copies = FileCopies()
    /// The device whose request changed the service last, until its state is seen.
    private var sender: String?

    init(model: EntityModel) {
        self.model = model
        places = WrittenValue.places(in: model)
        lost = LostRows(places: places)
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .request(let device):
            sender = device
            return []
        case .service(let state):
            lost.follow(state)
            if let sender, let before { copies.note(sender, brought: events(of: state, since: before)) }
            (before, sender) = (state, nil)
            return doubled(state, writes) + moved(state, writes)
        case .goingBack(let waiting):
            lost.goBack(waiting: waiting)
            return []
        case .restored:
            (keys, before) = ([:], nil)
            return []
        case .publishedAnew:
            copies.noteForgotten()
            return []
        case .replaced(let name, let source):
            copies.note(name, of: source, arrived: texts(before), writes)
            return []
        case .retried(let name, let events):
            copies.note(name, retried: events)
            return []
        case .quiet(let service, _): return missing(service, writes)
        default: return []
        }
    }

    private func texts(_ state: NodeState?) -> Set<String> {
        var found: Set<String> = []
        for (index, rows) in (state?.sets ?? []).enumerated() {
            for row in rows.values { found.formUnion(places[index].compactMap { row[$0].text }) }
        }
        return found
    }

    /// The events that wrote texts of rows which were not there before.
    private func events(of state: NodeState, since before: NodeState) -> Set<Int> {
        var found: Set<Int> = []
        for (index, rows) in state.sets.enumerated() {
            for (key, row) in rows where before.sets[index][key] == nil {
                found.formUnion(places[index].compactMap { row[$0].text.flatMap { WrittenValue.event(of: $0) } })
            }
        }
        return found
    }

    private func doubled(_ state: NodeState, _ writes: [Int: WriteRecord]) -> [String] {
        var found: [String] = []
        for (index, rows) in state.sets.enumerated() {
            for place in places[index] {
                var counts: [String: Int] = [:]
                for row in rows.values {
                    if case .string(let text) = row[place] { counts[text, default: 0] += 1 }
                }
                for (text, count) in counts where count > 1 {
                    let most = lost.mostRows(of: text, writes) + (copies.isSentAgain(text) ? 1 : 0)
                    guard count > most, !copies.isChangedAgain(text, writes) else { continue }
                    found.append("\(text) stands in two rows of \(model.sets[index].names.wire)")
                }
            }
        }
        return found.sorted()
    }

    /// A mark that was there under another key was undone and done again.
    private mutating func moved(_ state: NodeState, _ writes: [Int: WriteRecord]) -> [String] {
        var found: [String] = []
        for (key, text) in OnceCheck.marks(Regatta.events, state, model) {
            if let before = keys[text], before != key, !copies.isSentAgain(text),
                !copies.isChangedAgain(text, writes)
            {
                found.append("\(text) was done twice")
            }
            keys[text] = key
        }
        return found.sorted()
    }

    private func missing(_ service: NodeState, _ writes: [Int: WriteRecord]) -> [String] {
        let there = Set(OnceCheck.marks(Regatta.events, service, model).map(\.text))
        return writes.values.filter { $0.isMarked && !$0.isGivenUp && !there.contains($0.mark) }
            .map { "the transaction of \($0.author) with \($0.mark) is not on the service" }.sorted()
    }

    /// The marks of a node in one of the two sets that hold them.
    static func marks(_ set: String, _ state: NodeState, _ model: EntityModel) -> [(key: Key, text: String)] {
        guard let index = model.setIndex(wire: set), let name = model.sets[index].type.propertyIndex(wire: "Name")
        else { return [] }
        return state.sets[index].map { ($0.key, $0.value[name].text ?? "") }
    }
}
