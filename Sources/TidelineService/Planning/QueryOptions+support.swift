// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

extension QueryOptions {
    /// Refuses the options that nothing here answers yet: an option must never be passed over.
    ///
    /// - Throws: `NotSupported`.
    func refuseUnsupported() throws(ODataError) {
        let asked = [
            ("$apply", apply != nil), ("$compute", !compute.isEmpty), ("$search", search != nil),
            ("$levels", levels != nil), ("$index", index != nil),
        ]
        for (name, isAsked) in asked where isAsked {
            throw ODataError(.notSupported, "The query option \(name) is not supported.", target: name)
        }
    }
}
