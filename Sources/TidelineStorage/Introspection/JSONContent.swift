// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// What the values of a column of JSON are.
package struct JSONContent: Hashable, Sendable {
    /// The kinds of the values, and of the items of arrays, as SQLite and PostgreSQL name them.
    package var kinds: Set<String>
    package var items: Set<String>

    package init(kinds: Set<String>, items: Set<String>) {
        self.kinds = kinds
        self.items = items
    }

    /// The structure that all values have, or `nil`.
    package var structure: Structure? {
        let kinds = kinds.subtracting(["null"])
        if kinds == ["object"] { return .dynamic }
        guard kinds == ["array"] else { return nil }
        let isNullable = items.contains("null")
        switch items.subtracting(["null"]) {
        case [], ["text"], ["string"]: return .collection(of: .primitive(.string), itemsNullable: isNullable)
        case ["integer"]: return .collection(of: .primitive(.int64), itemsNullable: isNullable)
        case ["real"], ["integer", "real"], ["number"]:
            return .collection(of: .primitive(.double), itemsNullable: isNullable)
        case ["true"], ["false"], ["true", "false"], ["boolean"]:
            return .collection(of: .primitive(.boolean), itemsNullable: isNullable)
        default: return nil
        }
    }
}
