// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How much of a change log is kept: what is older, or beyond the number, is removed by and by.
///
/// The newest entry always stays, and of what is older the newest, so that who was in step then is told what came later.
public struct LogRetention: Hashable, Sendable {
    /// How long an entry is kept at least, in seconds, or `nil` for ever.
    public var seconds: Int64?
    /// The most entries that are kept, or `nil` for any number.
    public var entries: Int64?

    public init(seconds: Int64? = nil, entries: Int64? = nil) {
        self.seconds = seconds
        self.entries = entries
    }
}
