// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// An order of texts other than that of their bytes: that of a language, say.
///
/// Only results are ordered by one, never an index: what a platform thinks of an order changes with its versions. Texts
/// that are alike to it come in the order that follows.
public struct TextCollation: Sendable {
    /// The name, which says all that the order depends on: two collations of one name are the same.
    public let name: String
    /// Negative when the left text comes first, zero when the two are alike.
    ///
    /// Never fails and never changes: it is called while rows are being sorted.
    public let compare: @Sendable (_ left: String, _ right: String) -> Int

    public init(name: String, compare: @escaping @Sendable (_ left: String, _ right: String) -> Int) {
        self.name = name
        self.compare = compare
    }
}

extension TextCollation: Hashable {
    public static func == (left: TextCollation, right: TextCollation) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
