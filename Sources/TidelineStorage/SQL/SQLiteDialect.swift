// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// SQLite, with the functions and collations that a connection of TidelineSQLite registers.
package struct SQLiteDialect: SQLDialect {
    /// The column that is the rowid of each table with a full-text index, by the wire name of its set.
    package var searched: [String: String]

    package var functions: FunctionQueries?

    package init(searched: [String: String] = [:], functions: FunctionQueries? = nil) {
        self.searched = searched
        self.functions = functions
    }

    /// The name of a table's full-text index.
    package static func searchIndex(of table: String) -> String { "tideline_search_\(table)" }

    package func indexed(_ words: [String], in set: EntitySet, of alias: String) -> SQLFragment? {
        guard let column = searched[set.names.wire] else { return nil }
        let index = SQLFragment.identifier(Self.searchIndex(of: set.names.database))
        let phrase = SQLFragment(bind: .text("\"\(words.joined(separator: " "))\""))
        return
            "\(raw: alias).\(name: column) IN (SELECT rowid FROM \(index) WHERE \(index) MATCH \(phrase))"
    }

    package func appendParameter(_ number: Int, for value: SQLValue, to text: inout [UInt8]) {
        append("?", number, to: &text)
    }

    package func outer(_ index: Int) -> String { "?\(index + 1)" }

    package func table(named name: String) -> SQLFragment { .identifier(name) }

    package func column(_ property: Property, in set: EntitySet, of alias: String) -> SQLFragment {
        if let items = property.items { return self.items(items, of: set, alias: alias) }
        return .column(property.names.database, of: alias)
    }

    package func bound(_ value: Value, of property: Property) -> StoredBound { StoredBound(value, of: property) }

    package func computed(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        switch (property.type, property.storage) {
        case (.boolean, .booleanText): "(\(column) = 'true')"
        case (.decimal, .decimalScaled):
            call(.decimalScaled, [column, SQLFragment(raw: String(property.scale ?? 0))])
        case (.decimal, .decimalText): column
        case (.decimal, _): call(.decimal, [column])
        case (.guid, .guidBlob): call(.guid, [column])
        case (.guid, .guidUpper): "lower(\(column))"
        case (.date, .native), (.date, .sqlText): column
        case (.date, _): "substr(\(moment(column, property)), 1, 10)"
        case (.dateTimeOffset, _): moment(column, property)
        case (.timeOfDay, _): call(.time, [column])
        case (.duration, _): call(.duration, [column])
        default: column
        }
    }

    private func moment(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        call(.moment, [column, SQLFragment(raw: "'\(property.storage.rawValue)'")])
    }

    package func constant(_ value: Value, _ type: PrimitiveType?) -> SQLFragment {
        SQLFragment(bind: SQLOperand.computed(value))
    }

    // SQLite keeps it as null.
    package var notANumber: SQLFragment? { nil }

    // Both stored forms of text have the parts at the places where computed text has them, up to the seconds.
    package func clockPart(
        _ function: Expression.Function,
        of column: SQLFragment,
        _ property: Property
    ) -> SQLFragment? {
        guard property.storage == .native || property.storage == .sqlText,
            property.type == .date || property.precision != nil, function != .fractionalseconds,
            let (start, length) = function.clockPlace
        else { return nil }
        return integer("substr(\(column), \(raw: "\(start), \(length)"))")
    }

    package func comparesAsStored(_ property: Property) -> Bool {
        switch property.type {
        case .duration: false
        // Neighbours that are read as one decimal must be equal in the order too.
        case .decimal: property.storage != .native
        case .timeOfDay: property.precision != nil
        case .dateTimeOffset where property.storage == .native || property.storage == .sqlText:
            property.precision != nil
        case .date, .dateTimeOffset: property.storage != .julianDay
        default: true
        }
    }

    package func same(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS \(right)" }

    package func different(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS NOT \(right)" }

    // Always said, because the column may be declared with NOCASE; the planner still uses an index of that collation.
    package func binaryText(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE BINARY" }

    package func equalText(_ column: SQLFragment) -> SQLFragment { binaryText(column) }

    package func decimalText(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE tideline_decimal" }

    package func matches(_ text: SQLFragment, _ pattern: String) -> SQLFragment {
        call(.matches, [text, SQLFragment(bind: .text(pattern))])
    }

    package func cast(
        _ value: SQLFragment,
        from source: PrimitiveType,
        to target: PrimitiveType
    ) -> SQLFragment {
        call(.cast, [value, SQLFragment(raw: "'\(source.rawValue)'"), SQLFragment(raw: "'\(target.rawValue)'")])
    }

    package func jsonValue(_ json: SQLFragment, at names: [String], as type: PrimitiveType) -> SQLFragment {
        call(.json, [json, SQLFragment(raw: "'\(type.rawValue)'")] + names.map { SQLFragment(bind: .text($0)) })
    }

    package func jsonText(_ json: SQLFragment, at names: [String]) -> SQLFragment {
        call(.jsonText, [json] + names.map { SQLFragment(bind: .text($0)) })
    }

    package func elements(of array: SQLFragment, as alias: String) -> SQLFragment {
        let valid: SQLFragment = "CASE WHEN json_valid(\(array)) THEN \(array) END"
        return "json_each(CASE WHEN json_type(\(valid)) = 'array' THEN \(array) END) AS \(raw: alias)"
    }

    package func element(of array: SQLFragment, as alias: String) -> SQLFragment {
        "(\(array) -> \(raw: alias).fullkey)"
    }

    package func item(of array: SQLFragment, at place: Int) -> SQLFragment {
        let path = SQLFragment(raw: place < 0 ? "'$[#\(place)]'" : "'$[\(place)]'")
        return "(CASE WHEN json_valid(\(array)) THEN \(array) END -> \(path))"
    }

    package func quotedJSON(_ text: SQLFragment) -> SQLFragment { "json_quote(\(text))" }

    package func text(_ column: SQLFragment, _ property: Property) -> SQLFragment { column }

    // The order inside is kept: SQLite leaves it out only below aggregates that cannot tell.
    package func list(
        of item: SQLFragment,
        from source: SQLFragment,
        where condition: SQLFragment,
        order: [SQLFragment]
    ) -> SQLFragment {
        let end: SQLFragment = order.isEmpty ? "" : " ORDER BY \(SQLFragment(order, separator: ", "))"
        let rows: SQLFragment = "SELECT \(item) AS item FROM \(source) WHERE \(condition)\(end)"
        return "(SELECT '[' || COALESCE(group_concat(l.item, ','), '') || ']' FROM (\(rows)) AS l)"
    }

    package func keys(_ value: SQLFragment) -> SQLFragment { "json_group_array(\(value))" }

    package func sum(_ value: SQLFragment, _ type: PrimitiveType) -> SQLFragment {
        type == .double || type == .single ? "SUM(\(value))" : "tideline_sum(\(value))"
    }

    package func average(_ value: SQLFragment, _ type: PrimitiveType) -> SQLFragment {
        type == .double || type == .single ? "AVG(\(value))" : "tideline_average(\(value))"
    }

    package func truth(_ value: Bool) -> SQLFragment { value ? "1" : "0" }

    package func call(_ function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment {
        "\(raw: "tideline_" + function.rawValue)(\(SQLFragment(arguments, separator: ", ")))"
    }

    package func realArithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLFragment,
        _ right: SQLFragment
    ) -> SQLFragment {
        switch name {
        case .add: "(\(left) + \(right))"
        case .sub: "(\(left) - \(right))"
        case .mul: "(\(left) * \(right))"
        case .mod: call(.remainder, [left, right])
        default: call(.realDivide, [left, right])
        }
    }

    // SQLite gives null for a division by zero itself.
    package func remainder(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "(\(left) % \(right))" }

    package func smallQuotient(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "(\(left) / \(right))" }

    package func place(of part: SQLFragment, in text: SQLFragment) -> SQLFragment { "instr(\(text), \(part))" }

    package func real(_ integer: SQLFragment) -> SQLFragment { "CAST(\(integer) AS REAL)" }

    package func integer(_ digits: SQLFragment) -> SQLFragment { "CAST(\(digits) AS INTEGER)" }

    package var now: SQLFragment { "strftime('%Y-%m-%dT%H:%M:%f000000Z', 'now')" }

    // SQLite orders null before every value, which is the order of the standard.
    package func orderTerm(_ term: SQLFragment, isDescending: Bool, isNullable: Bool) -> SQLFragment {
        isDescending ? "\(term) DESC" : term
    }

    // Neither flattening nor the push-down of conditions goes over a LIMIT.
    package var barrier: SQLFragment { " LIMIT -1" }

    package func limit(_ count: Int?, skip: Int) -> SQLFragment {
        guard count != nil || skip > 0 else { return "" }
        let limit: SQLFragment = " LIMIT \(bind: .integer(Int64(count ?? -1)))"
        return skip > 0 ? "\(limit) OFFSET \(bind: .integer(Int64(skip)))" : limit
    }
}
