// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V16: on the service every reference leads to a row, and what is unique is there once; on devices so at the end.
struct ConstraintCheck: Check {
    static let number = "V16"

    private let model: EntityModel

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state): broken(state, "the service")
        case .quiet(_, let devices): devices.flatMap { broken($0.state, $0.name) }
        default: []
        }
    }

    private func broken(_ state: NodeState, _ node: String) -> [String] {
        var found: [String] = []
        for (index, set) in model.sets.enumerated() {
            for navigation in set.type.navigationProperties where navigation.isDependent {
                guard let target = model.setIndex(wire: navigation.targetSet) else { continue }
                for row in state.sets[index].values {
                    let key = Key(navigation.constraints.map { row[$0.source] })
                    if key.values.contains(.null) || state.sets[target][key] != nil { continue }
                    found.append("\(node): \(set.names.wire) \(RowText.text(row)) refers to no \(navigation.targetSet)")
                }
            }
            for unique in set.type.uniqueKeys {
                var seen = Set<[Value]>()
                for row in state.sets[index].values {
                    let values = unique.map { row[$0] }
                    if values.contains(.null) || seen.insert(values).inserted { continue }
                    found.append("\(node): two rows of \(set.names.wire) have \(RowText.text(values))")
                }
            }
        }
        return found.sorted()
    }
}
