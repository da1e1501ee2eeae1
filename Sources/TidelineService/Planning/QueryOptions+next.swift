// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

extension QueryOptions {
    /// The query, percent-encoded, of the page of a nested collection that follows the first `count` entities.
    func nextQuery(after count: Int) -> String {
        var options = self
        options.skip = (skip ?? 0) + count
        options.top = top.map { $0 - count }
        options.count = false
        options.levels = nil
        return options.text
    }
}
