// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

extension QueryOptions {
    /// The first that is given of the options that choose among many, or go on with what was chosen; `nil` where none is.
    ///
    /// Where nothing is chosen such an option is refused: passed over in silence, it would mean more than was asked for.
    /// Source: OData URL Conventions 4.01, section 5.1.
    var firstChoice: String? {
        let given: [(String, Bool)] = [
            ("$filter", filter != nil), ("$search", search != nil), ("$orderby", !orderBy.isEmpty),
            ("$top", top != nil), ("$skip", skip != nil), ("$count", count), ("$apply", apply != nil),
            ("$deltatoken", deltaToken != nil), ("$skiptoken", skipToken != nil),
        ]
        return given.first(where: \.1)?.0
    }
}
