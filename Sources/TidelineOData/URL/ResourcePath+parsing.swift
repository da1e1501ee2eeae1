// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ResourcePath {
    public init(parsing text: Substring, aliases: [String: String] = [:]) throws(ODataError) { self.init([]) }
}
