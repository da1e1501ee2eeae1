// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V22: nothing is put aside for the version of a row that the service itself has told: a transaction that met a change is
/// merged with it and sent again.
struct VersionCheck: Check {
    static let number = "V22"
    /// The reason that a device writes where a transaction that met no change is refused twice.
    static let code = "PreconditionFailed"

    init(model: EntityModel) {}

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        guard case .held(let device, let codes) = observation, codes.contains(VersionCheck.code) else { return [] }
        return ["\(device) put a transaction aside that met no change of the service"]
    }
}
