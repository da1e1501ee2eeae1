// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension Query {
    /// Only those that satisfy a condition in SQL as well: for what typed predicates have no words for.
    ///
    ///     Order.where { $0.total > 5 }.where(sql: "length(Remark) % ? = 0", 2)
    ///
    /// Columns are named as on the wire and hold the storage forms of the file. Each question mark stands for one value,
    /// which is bound and never becomes text; another number of values is an error when the query is carried out.
    /// A condition that looks at other tables is not noticed by live results when these change.
    ///
    /// - Parameters:
    ///   - text: one condition.
    ///   - parameters: the values of its question marks, in their order.
    public func `where`(sql text: String, _ parameters: any PropertyValue...) -> Query {
        var query = self
        query.conditions.append(SQLText(text, parameters.map(\.edmValue)))
        return query
    }
}

extension Queryable {
    /// The entities that satisfy a condition in SQL, see ``Query/where(sql:_:)``.
    public static func `where`(sql text: String, _ parameters: any PropertyValue...) -> Query<Self> {
        var query = all
        query.conditions = [SQLText(text, parameters.map(\.edmValue))]
        return query
    }
}
