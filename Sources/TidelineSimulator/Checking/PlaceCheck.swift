// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V21: what a device put below a row stands below that one, and not below another one that has its key since.
///
/// Looked at where another program put a row in the place of one that was gone.
struct PlaceCheck: Check {
    static let number = "V21"

    private let model: EntityModel
    private let places: [[Int]]
    /// The texts that each row had since it came.
    private var stood: [[Key: Set<String>]]
    private var wasRestored = false

    init(model: EntityModel) {
        self.model = model
        places = model.sets.map { WrittenValue.places(of: $0.type) }
        stood = places.map { _ in [:] }
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state):
            follow(state)
            return wasRestored ? [] : misplaced(state, writes)
        case .restored:
            // A device may know a row that is lost, and whose key another one has.
            wasRestored = true
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
                let isNew = row.contains { OtherProgram.wrote($0) && !before.contains($0.text ?? "") }
                stood[index][key] = isNew ? texts : before.union(texts)
            }
        }
    }

    private func misplaced(_ state: NodeState, _ writes: [Int: WriteRecord]) -> [String] {
        var found: [String] = []
        for (index, set) in model.sets.enumerated() {
            for navigation in set.type.navigationProperties where navigation.isDependent {
                guard let target = model.setIndex(wire: navigation.targetSet) else { continue }
                let replaced = stood[target].filter { $0.value.contains { OtherProgram.wrote(.string($0)) } }
                guard !replaced.isEmpty else { continue }
                for (key, row) in state.sets[index] {
                    let parent = Key(navigation.constraints.map { row[$0.source] })
                    guard let texts = replaced[parent], let text = places[index].lazy.compactMap({ row[$0].text }).first
                    else { continue }
                    let meant = writes.values.compactMap { $0.referred[text] }
                    guard !meant.isEmpty, meant.allSatisfy({ known($0, writes).isDisjoint(with: texts) }) else {
                        continue
                    }
                    found.append(
                        "\(text) in \(set.names.wire) \(RowText.text(key.values)) stands below another row than was meant"
                    )
                }
            }
        }
        return found.sorted()
    }

    /// Texts of rows, with those that they took the place of.
    private func known(_ texts: Set<String>, _ writes: [Int: WriteRecord]) -> Set<String> {
        var (known, new) = (texts, texts)
        while !new.isEmpty {
            new = Set(new.compactMap { text in WrittenValue.event(of: text).flatMap { writes[$0]?.overwrote[text] } })
            new.subtract(known)
            known.formUnion(new)
        }
        return known
    }
}
