// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Names the rows of the specification that a test proves; `docs/features.md` is made from these.
public struct Covers: TestTrait, SuiteTrait {
    /// Row identifiers, each with the prefix of its page: `SB-F038`.
    public let rows: [String]
}

extension Trait where Self == Covers {
    /// The test proves these rows of the specification.
    public static func covers(_ rows: String...) -> Covers { Covers(rows: rows) }
}
