// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The names of an object's members that were read so far: each is there once.
///
/// Few are compared one by one, which is faster than hashing them; objects of many members come from anybody.
struct MemberNames {
    private static let few = 16

    private var names: [String] = []
    private var hashed: Set<String> = []

    /// - Returns: whether the name was not there before.
    mutating func insert(_ name: String) -> Bool {
        guard names.count >= Self.few else {
            if names.contains(name) { return false }
            names.append(name)
            return true
        }
        if hashed.isEmpty { hashed = Set(names) }
        return hashed.insert(name).inserted
    }
}
