// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// How an entry of the conflict log ends.
public enum ConflictChoice: Hashable, Sendable {
    /// What this device did counts.
    case keepMine
    /// What the server had counts.
    case keepTheirs
    /// The properties given here get these values, the others stay as they are; a deleted row stays.
    case merge([String: Value])
}
