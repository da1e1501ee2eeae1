// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension QueryOptions {
    public init(parsing query: Substring) throws(ODataError) { try self.init(QueryString(query)) }
    init(_ query: QueryString) throws(ODataError) { self.init() }
}
