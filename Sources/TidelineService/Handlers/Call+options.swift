// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineOData

extension Call {
    /// Refuses an option that has no meaning for the request: passed over, it would be taken for done.
    ///
    /// `$index` goes with POST alone, `$id` with `$entity` and with DELETE of `/$ref`. In 4.0, where `index` and `id` are
    /// options of the client's own, nothing is refused.
    /// Source: OData URL Conventions 4.01, sections 5.1.10 and 4.14; OData Protocol 4.01, section 11.4.6.2.
    func requireNoStray() throws(ODataError) {
        guard self.version != .v40 else { return }
        let path = self.target.path.segments
        if options.index != nil, self.method != .post {
            throw ODataError(.invalidQueryOption, "$index goes with POST to a collection of values.", target: "$index")
        }
        guard options.id != nil, path.first != .entity, self.method != .delete || path.last != .ref else { return }
        throw ODataError(.invalidQueryOption, "$id goes with $entity, and with DELETE of /$ref.", target: "$id")
    }
}
