// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V19: when everything is quiet, nothing is kept that is of no use any more.
struct LeftoverCheck: Check {
    static let number = "V19"

    init(model: EntityModel) {}

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        guard case .quiet(_, let devices) = observation else { return [] }
        return devices.flatMap { device in device.leftovers.map { "\(device.name) keeps \($0)" } }
    }
}
