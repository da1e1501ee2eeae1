// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension ClientMark {
    /// Whether a user may go on as this client; nobody is `nil`.
    ///
    /// A client of nobody sent its transactions while the domain was open: the first user who signs in on that device takes
    /// it over. Its identifier is random, and no other device knows it.
    func admits(_ other: String?) -> Bool { user == nil || user == other }
}
