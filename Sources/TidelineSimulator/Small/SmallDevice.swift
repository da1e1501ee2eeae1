// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a device of a small search has.
struct SmallDevice: Sendable {
    /// The texts of the rows, by their keys.
    var rows: [String: String] = [:]
    /// Whether changes wait to be sent.
    var isWaiting = false
    /// The texts that the service refused.
    var quarantined: UInt16 = 0
    var hasQuarantine = false
    /// The texts in its conflict log.
    var logged: UInt16 = 0
    /// A number that stands for all that decides how it goes on.
    var digest = Digest()

    /// The texts of its rows.
    var shown: UInt16 { rows.values.reduce(0) { $0 | SmallText.bits(in: $1) } }
}

/// What the service of a small search has.
struct SmallService: Sendable {
    /// The texts of the rows, by their keys.
    var rows: [String: String] = [:]
    /// The texts that some row ever had.
    var had: UInt16 = 0
    /// The texts that a row had twice, with another between.
    var hadTwice: UInt16 = 0
    /// A number that stands for all that decides how it goes on.
    var digest = Digest()
}
