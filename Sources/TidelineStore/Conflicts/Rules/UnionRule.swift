// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What either side added is in, and what either side took out is not.
///
///     base [a,b]   mine [b,c]   theirs [a,b,d]   ->   [b,d,c]
enum UnionRule {
    /// - Parameter isCollection: whether the values are the JSON text of a collection; otherwise the bits of flags.
    /// - Returns: `nil` for what is neither, or was set to null.
    static func join(_ base: Value, _ mine: Value, _ theirs: Value, isCollection: Bool) -> Value? {
        guard isCollection else {
            guard case .integer(let mine) = mine, case .integer(let theirs) = theirs else { return nil }
            var old: Int64 = 0
            if case .integer(let bits) = base { old = bits }
            return .integer((theirs | mine & ~old) & ~(old & ~mine))
        }
        guard let mine = items(mine), let theirs = items(theirs) else { return nil }
        let old = items(base) ?? []
        var joined: [JSONValue] = []
        // Each once, and the server's order before what is new here.
        for item in theirs + mine where !contains(joined, item) {
            let stays = contains(old, item) ? contains(mine, item) && contains(theirs, item) : true
            if stays { joined.append(item) }
        }
        return .string(JSONValue.array(joined).text)
    }

    private static func items(_ value: Value) -> [JSONValue]? {
        guard case .string(let text) = value, case .array(let items)? = JSONValue(text) else { return nil }
        return items
    }

    private static func contains(_ items: [JSONValue], _ item: JSONValue) -> Bool {
        items.contains { $0.isSame(as: item) }
    }
}
