// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Random numbers that are the same for a seed on every machine.
///
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (SplitMix64).
final class Chance: Sendable {
    private let state: Mutex<UInt64>

    /// Neighbouring seeds would give the same numbers, moved by one, if they were not mixed first.
    init(_ seed: UInt64) { state = Mutex(Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15)) }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return Self.mixed(state)
        }
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    func element<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }
}
