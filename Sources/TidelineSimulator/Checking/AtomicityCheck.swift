// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V5: nobody sees a part of a transaction: an event and its echo come together, but where a sync left out one of the sets.
struct AtomicityCheck: Check {
    static let number = "V5"

    private let model: EntityModel

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state): halves(state, "the service")
        case .device(let name, let state, let behind):
            behind.isDisjoint(with: [Regatta.events, Regatta.echoes]) ? halves(state, name) : []
        default: []
        }
    }

    private func halves(_ state: NodeState, _ node: String) -> [String] {
        let events = Set(OnceCheck.marks(Regatta.events, state, model).map(\.text))
        let echoes = Set(OnceCheck.marks(Regatta.echoes, state, model).map(\.text))
        return events.symmetricDifference(echoes).sorted().map { "\(node) has half of the transaction \($0)" }
    }
}
