// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The place of a row in a list: its section, and the row in the section, both counted from zero.
public struct ListPlace: Hashable, Sendable {
    public var section: Int
    public var row: Int

    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension ListPlace: Comparable {
    public static func < (left: ListPlace, right: ListPlace) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}
