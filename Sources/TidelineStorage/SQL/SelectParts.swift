// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The parts of a SELECT, before a dialect puts them together.
package struct SelectParts {
    var columns: [SQLFragment]
    var from: SQLFragment
    var conditions: [SQLFragment]
    var order: [SQLFragment] = []
    var limit: Int?
    var skip = 0
    /// The properties that each run's values are compared with.
    var parameters: [Property]
}

extension SQLDialect {
    /// One SELECT; where values of rows outside are parameters, for one such row.
    package func select(_ parts: SelectParts) -> SQLFragment { plainSelect(parts) }

    func plainSelect(_ parts: SelectParts) -> SQLFragment {
        var sql = SQLFragment(capacity: 250)
        sql.append(literal: "SELECT ")
        sql.append(parts.columns, separator: ", ")
        sql.append(literal: " FROM ")
        sql.append(parts.from)
        if !parts.conditions.isEmpty {
            sql.append(literal: " WHERE ")
            sql.append(parts.conditions, separator: " AND ")
        }
        if !parts.order.isEmpty {
            sql.append(literal: " ORDER BY ")
            sql.append(parts.order, separator: ", ")
        }
        if parts.limit != nil || parts.skip > 0 { sql.append(limit(parts.limit, skip: parts.skip)) }
        return sql
    }
}
