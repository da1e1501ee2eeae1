// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The numbers that a published database has given, as far as it tells.
struct GivenKeys {
    /// The highest key of each captured table whose keys SQLite counts.
    var highest: [String: Int64] = [:]
    /// The newest entry of the log, or `nil` where no log tells.
    var entry: Int64?
}
