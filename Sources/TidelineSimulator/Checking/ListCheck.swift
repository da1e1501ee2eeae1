// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// V14: a live list, kept by its batches alone, is what a fresh fetch finds.
struct ListCheck: Check {
    static let number = "V14"

    init(model: EntityModel) {}

    mutating func look(at observation: Observation, _ writes: [Int: WriteRecord]) -> [String] {
        guard case .list(let device, let folded, let fresh) = observation, folded != fresh else { return [] }
        func text(_ keys: [Key]) -> String { keys.map { RowText.text($0.values) }.joined(separator: " ") }
        return ["\(device): the live list is \(text(folded)), a fetch finds \(text(fresh))"]
    }
}
