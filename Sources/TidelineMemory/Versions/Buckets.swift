// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A dictionary whose copies share what is equal: a change copies one of its parts.
struct Buckets<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    private var parts = [[Key: Element]](repeating: [:], count: 64)

    private static func part(of key: Key) -> Int { key.hashValue & 63 }

    subscript(key: Key) -> Element? {
        get { parts[Self.part(of: key)][key] }
        _modify { yield &parts[Self.part(of: key)][key] }
    }

    /// All elements, in no order.
    var elements: some Sequence<(key: Key, value: Element)> {
        parts.lazy.joined()
    }
}
