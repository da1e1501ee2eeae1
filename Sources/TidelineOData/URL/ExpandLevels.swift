// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How deep `$levels` expands a navigation property that leads to its own type.
public enum ExpandLevels: Hashable, Sendable {
    /// At least 1, which is the property itself.
    case number(Int)
    /// `max`: as deep as the service goes.
    case max
}
