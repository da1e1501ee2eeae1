// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One item of `$select`.
public enum SelectItem: Hashable, Sendable {
    /// `*`: all structural properties.
    case all
    /// A structural or navigation property by its wire name.
    case property(String)
}
