// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
public import TidelineOData

extension Query {
    /// Only those that satisfy a condition in OData's own text as well: `Total gt 5 and Client/ClientName eq 'Ann'`.
    ///
    /// - Throws: `ODataError` with the place where the text is none. Names are looked up when the query is carried out.
    public func `where`(odata text: String) throws(ODataError) -> Query {
        filtered(try ExpressionParser.parse(text))
    }
}

extension Queryable {
    /// The entities that satisfy a condition in OData's own text: `Total gt 5`.
    ///
    /// - Throws: `ODataError` with the place where the text is none. Names are looked up when the query is carried out.
    public static func `where`(odata text: String) throws(ODataError) -> Query<Self> {
        try all.where(odata: text)
    }
}
