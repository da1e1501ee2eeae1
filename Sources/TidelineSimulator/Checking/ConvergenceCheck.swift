// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V7: at the end every device holds what the service holds in its scope, and nothing waits.
struct ConvergenceCheck: Check {
    static let number = "V7"

    private let model: EntityModel

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        guard case .quiet(_, let devices) = observation else { return [] }
        return devices.flatMap { device in
            var found = device.pending == 0 ? [] : ["\(device.name): \(device.pending) transactions wait"]
            for (index, set) in model.sets.enumerated() {
                let (mine, theirs) = (device.state.sets[index], device.expected.sets[index])
                for key in Set(mine.keys).union(theirs.keys) where mine[key] != theirs[key] {
                    let texts = [mine[key], theirs[key]].map { $0.map(RowText.text) ?? "no row" }
                    found.append("\(device.name) has of \(set.names.wire) \(texts[0]), the service \(texts[1])")
                }
            }
            return found.sorted()
        }
    }
}
