// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The wire names that no set or property can have on a device, since its file has tables and columns of those names.
package enum DeviceNames {
    /// Whether a device cannot have a set of that name: SQLite and Tideline keep tables that begin so.
    package static func isKept(set name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("sqlite_") || name.hasPrefix("tideline_")
    }

    /// The properties that a device cannot have, in small letters: its columns for versions and removals.
    package static let keptProperties: Set<String> = ["tideline_etag", "tideline_reason"]
}
