// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V2: every value on any node was written by a committed transaction.
struct PhantomCheck: Check {
    static let number = "V2"

    private let model: EntityModel
    private let places: [[Int]]

    init(model: EntityModel) {
        self.model = model
        places = WrittenValue.places(in: model)
    }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state): phantoms(in: state, of: "the service", writes)
        case .device(let name, let state, _): phantoms(in: state, of: name, writes)
        default: []
        }
    }

    private func phantoms(in state: NodeState, of node: String, _ writes: [Int: WriteRecord]) -> [String] {
        var found: [String] = []
        for (index, rows) in state.sets.enumerated() {
            for row in rows.values {
                for place in places[index] {
                    guard case .string(let text) = row[place] else { continue }
                    guard let event = WrittenValue.event(of: text), writes[event] != nil else {
                        found.append("\(node) has \(text) in \(model.sets[index].names.wire), which nobody committed")
                        continue
                    }
                }
            }
        }
        return found.sorted()
    }
}
