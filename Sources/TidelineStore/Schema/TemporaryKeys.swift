// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The keys that stand in for those that the service has yet to make: negative, each used once, and below all negative keys
/// that the service is known to have itself, as `-1` for "unknown".
extension Connection {
    private static let last = "last_temporary"
    private static let bound = "temporary_bound"
    /// The settings that keep them; both only fall.
    static let temporaryKeySettings = [last, bound]

    /// The last temporary key that was given.
    func lastTemporaryKey() throws -> Int64 { try number(Self.last) }

    func setLastTemporaryKey(_ key: Int64) throws { try setNumber(Self.last, key) }

    func nextTemporaryKey() throws -> Int64 {
        let key = try lastTemporaryKey() - 1
        try setLastTemporaryKey(key)
        return key
    }

    /// The keys that are temporary: what is negative and not among them is the service's.
    ///
    /// They leave half of the negative numbers of the narrowest type of such keys, so that none of them runs out, whatever
    /// keys the service has.
    func temporaryKeys() throws -> Range<Int64> {
        let floors = layout.sets.flatMap { set in
            set.key.filter { set.rules[$0].isGeneratedKey }.compactMap {
                set.columns[$0].property.type.integerRange.map { $0.lowerBound / 2 }
            }
        }
        let floor = floors.filter { $0 < 0 }.max() ?? .min / 2
        return floor..<max(floor, try number(Self.bound))
    }

    /// Lets temporary keys be below a negative key of the service.
    func lowerTemporaryKeys(below key: Int64) throws {
        if try number(Self.bound) > key { try setNumber(Self.bound, key) }
        if try lastTemporaryKey() > key { try setLastTemporaryKey(key) }
    }
}
