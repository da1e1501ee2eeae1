// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What tells the file of a device's store from other databases.
package enum DeviceFile {
    /// `Tide` in ASCII: SQLite's `application_id`.
    package static let applicationID: Int64 = 0x5469_6465
}
