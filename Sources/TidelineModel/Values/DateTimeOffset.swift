// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A value of `Edm.DateTimeOffset`: a moment.
///
/// The offset it was written with is not kept; text is always UTC with `Z`.
public struct DateTimeOffset: Hashable, Sendable {
    /// Whole seconds after 1970-01-01T00:00:00Z, negative before it.
    public let seconds: Int64
    /// The fraction of the second, 0 to 999,999,999 nanoseconds, always counted forwards.
    public let nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}
