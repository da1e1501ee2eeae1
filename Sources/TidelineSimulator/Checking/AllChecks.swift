// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The checks of a run, each with what it remembers.
struct AllChecks {
    /// One file a check; a new one is named here.
    static let kinds: [any (Check & SendableMetatype).Type] = [
        PhantomCheck.self, OnceCheck.self, OrderCheck.self, AtomicityCheck.self, CauseCheck.self, ConvergenceCheck.self,
        CursorCheck.self, LossCheck.self, ScopeCheck.self, GoneCheck.self, ReloadCheck.self, ListCheck.self,
        ConstraintCheck.self, LeftoverCheck.self, PlaceCheck.self, VersionCheck.self,
    ]

    private var checks: [any Check]

    init(model: EntityModel) { checks = AllChecks.kinds.map { $0.init(model: model) } }

    mutating func look(
        at observation: Observation,
        _ writes: [Int: WriteRecord],
        _ time: SimulatedTime
    ) -> [Violation] {
        var found: [Violation] = []
        for place in checks.indices {
            let number = type(of: checks[place]).number
            found += checks[place].look(at: observation, writes).map { Violation(number, $0, at: time) }
        }
        return found
    }
}
