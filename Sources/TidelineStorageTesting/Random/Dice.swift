// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// Choices that a seed decides.
final class Dice {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// True in `part` of `whole` cases.
    func chance(_ part: Int, in whole: Int) -> Bool { below(whole) < part }

    /// A number from 0 to less than `limit`.
    func below(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// One of several, which are not none.
    func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

    func shuffled<Item>(_ items: [Item]) -> [Item] { items.shuffled(using: &generator) }
}
