// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

extension Query {
    /// The query options that ask a service for the same, decoded, without `$select`.
    ///
    /// - Throws: as ``request()``.
    func options() throws -> [(name: String, value: String)] {
        var options = try request().options
        options.select = nil
        return options.parameters
    }
}
