// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// How a read ended.
public struct PageEnd: Hashable, Sendable {
    /// The rows pushed, expansions not counted.
    public var rows: Int
    /// The value of `after` for the next page, or `nil` when nothing is left.
    public var continuation: [Value]?

    public init(rows: Int, continuation: [Value]?) {
        self.rows = rows
        self.continuation = continuation
    }
}
