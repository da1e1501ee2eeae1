// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V12: what waited on a device when the service went back to an older state arrives all the same.
struct ReloadCheck: Check {
    static let number = "V12"

    private let model: EntityModel
    private var onService: Set<String> = []
    /// The marks that waited when the service went back.
    private var waiting: Set<Int> = []

    init(model: EntityModel) { self.model = model }

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        switch observation {
        case .service(let state):
            onService.formUnion(OnceCheck.marks(Regatta.events, state, model).map(\.text))
            return []
        case .restored:
            waiting.formUnion(writes.values.filter { $0.isMarked && !onService.contains($0.mark) }.map(\.event))
            return []
        case .quiet(let service, _):
            let there = Set(OnceCheck.marks(Regatta.events, service, model).map(\.text))
            return waiting.sorted().compactMap { event in
                guard let write = writes[event], !write.isGivenUp, !there.contains(write.mark) else { return nil }
                return "\(write.mark) of \(write.author) waited when the service went back, and did not arrive"
            }
        default: return []
        }
    }
}
