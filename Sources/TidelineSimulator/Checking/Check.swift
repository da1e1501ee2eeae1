// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One invariant of the simulation, which sees what happens and says what must not be.
///
/// A check has no other way to the nodes than what it is shown, so tests can hand it broken histories.
protocol Check {
    /// The number of the invariant, such as `V7`.
    static var number: String { get }

    init(model: EntityModel)

    /// Looks at what is shown.
    ///
    /// - Parameter writes: all committed transactions so far by the number of their event.
    /// - Returns: a sentence for each violation.
    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String]
}
