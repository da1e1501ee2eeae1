// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What this build is.
public enum Release {
    /// The version, as in CHANGELOG.md.
    public static let version = "0.1.0"

    /// What a client of this build calls itself, in `User-Agent`.
    public static let userAgent = "Tideline/\(version)"
}
