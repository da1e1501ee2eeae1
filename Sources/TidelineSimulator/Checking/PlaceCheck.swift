// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V21: what a device changed in a row, or put below it, stands in or below that one, and not another one that has its key
/// since.
///
/// Looked at where another program put a row in the place of one that was gone. A person who sends something again from the
/// quarantine means the row that has the key then.
struct PlaceCheck: Check {
    static let number = "V21"

    private let model: EntityModel
    private let places: [[Int]]
    /// The texts that each row had since it came.
    private var stood: [[Key: Set<String>]]
    private var forgotKeys = false

    init(model: EntityModel) {
        self.model = model
        places = WrittenValue.places(in: model)
        stood = places.map { _ in [:] }
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state):
            follow(state)
            return forgotKeys ? [] : (below(state, writes) + within(state, writes)).sorted()
        case .restored, .publishedAnew:
            // A device may know a row that is lost, and whose key another one has.
            forgotKeys = true
            return []
        default: return []
        }
    }

    private mutating func follow(_ state: NodeState) {
        for (index, rows) in state.sets.enumerated() {
            for key in stood[index].keys where rows[key] == nil { stood[index][key] = nil }
            for (key, row) in rows {
                let texts = Set(places[index].compactMap { row[$0].text })
                let before = stood[index][key] ?? []
                stood[index][key] = OtherProgram.made(row, after: before) ? texts : before.union(texts)
            }
        }
    }

    /// The rows that another program made, by their keys, with the texts that they had since.
    private func replaced(_ set: Int) -> [Key: Set<String>] {
        stood[set].filter { $0.value.contains { OtherProgram.wrote(.string($0)) } }
    }

    /// Texts in rows that their devices did not change: none that they touched is one of those that stood there.
    private func within(_ state: NodeState, _ writes: [Int: WriteRecord]) -> [String] {
        var found: [String] = []
        for (index, set) in model.sets.enumerated() {
            for (key, texts) in replaced(index) {
                guard let row = state.sets[index][key] else { continue }
                for text in places[index].compactMap({ row[$0].text }) {
                    guard let write = WrittenValue.event(of: text).flatMap({ writes[$0] }), write.texts.contains(text),
                        !write.wasHeld, !write.inserted.contains(text),
                        writes.known(write.touched).isDisjoint(with: texts)
                    else { continue }
                    found.append(
                        "\(text) stands in \(set.names.wire) \(RowText.text(key.values)), which is another row than was meant"
                    )
                }
            }
        }
        return found
    }

    private func below(_ state: NodeState, _ writes: [Int: WriteRecord]) -> [String] {
        var found: [String] = []
        for (index, set) in model.sets.enumerated() {
            for navigation in set.type.navigationProperties where navigation.isDependent {
                guard let target = model.setIndex(wire: navigation.targetSet) else { continue }
                let replaced = replaced(target)
                guard !replaced.isEmpty else { continue }
                for (key, row) in state.sets[index] {
                    let parent = Key(navigation.constraints.map { row[$0.source] })
                    guard let texts = replaced[parent], let text = places[index].lazy.compactMap({ row[$0].text }).first
                    else { continue }
                    let authors = writes.values.filter { $0.referred[text] != nil }
                    let meant = authors.compactMap { $0.referred[text] }
                    guard !meant.isEmpty, !authors.contains(where: \.wasHeld),
                        meant.allSatisfy({ writes.known($0).isDisjoint(with: texts) })
                    else {
                        continue
                    }
                    found.append(
                        "\(text) in \(set.names.wire) \(RowText.text(key.values)) stands below another row than was meant"
                    )
                }
            }
        }
        return found
    }
}
