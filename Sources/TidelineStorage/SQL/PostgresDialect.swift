// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// PostgreSQL, with the functions that `TidelinePostgres` installs in its schema `tideline`.
///
/// Computed values have the forms that ``SQLFunction`` names, but for Booleans, decimals (`numeric`) and GUIDs (`uuid`),
/// which are of PostgreSQL's own types; integers are `bigint`. Every parameter is cast, so that its type never depends
/// on the place where it stands.
package struct PostgresDialect: SQLDialect {
    /// The columns that are not of the type that their property's type suggests, by table and column.
    package var columns: [String: [String: PostgresColumn]]
    /// Whether a statement runs once for many rows outside, whose values are columns of the table `k`.
    package var isLateral: Bool

    /// The tables with a full-text index, by their names in the model.
    package var searched: Set<String>

    package var functions: FunctionQueries?

    package init(
        columns: [String: [String: PostgresColumn]] = [:],
        isLateral: Bool = false,
        searched: Set<String> = [],
        functions: FunctionQueries? = nil
    ) {
        self.functions = functions
        self.columns = columns
        self.isLateral = isLateral
        self.searched = searched
    }

    /// What the full-text index of a table is over, as text of SQL; a plain name is read from the table at hand.
    package static func searchDocument(of set: EntitySet, alias: String? = nil) -> String {
        let texts = set.type.searchProperties.map { place in
            let name = set.type.properties[place].names.database.split(
                separator: "\"",
                omittingEmptySubsequences: false
            ).joined(separator: "\"\"")
            return "coalesce(\(alias.map { "\($0)." } ?? "")\"\(name)\"::text, '')"
        }
        return "tideline.lexemes(\(texts.joined(separator: " || ' ' || ")))"
    }

    package func indexed(_ words: [String], in set: EntitySet, of alias: String) -> SQLFragment? {
        guard searched.contains(set.names.database) else { return nil }
        // Words are letters and digits alone: nothing in them needs an escape.
        let query = words.map { "'\(String($0.unicodeScalars.prefix(500)))'" }.joined(separator: " & ")
        let document = SQLFragment(raw: Self.searchDocument(of: set, alias: alias))
        let hit: SQLFragment = "\(document) @@ CAST(\(bind: .text(query)) AS tsquery)"
        guard words.count > 1 else { return hit }
        // The index knows which words there are, and not where they stand.
        let phrase = SQLFragment(bind: .text(words.joined(separator: " ")))
        let tests = set.type.searchProperties.map { place in
            call(.found, [phrase, "\(column(set.type.properties[place], in: set, of: alias))"])
        }
        return "(\(hit) AND (\(SQLFragment(tests.map { "\($0) IS TRUE" }, separator: " OR "))))"
    }

    package func appendParameter(_ number: Int, for value: SQLValue, to text: inout [UInt8]) {
        append("$", number, to: &text)
        switch value {
        case .null: break
        case .integer: text.append(contentsOf: "::bigint".utf8)
        case .real: text.append(contentsOf: "::double precision".utf8)
        case .text: text.append(contentsOf: "::text".utf8)
        case .blob: text.append(contentsOf: "::bytea".utf8)
        case .typed(_, let type): text.append(contentsOf: "::\(type)".utf8)
        }
    }

    package func outer(_ index: Int) -> String { isLateral ? "k.k\(index)" : "$\(index + 1)" }

    package func table(named name: String) -> SQLFragment { SQLFragment(raw: Self.quoted(table: name)) }

    /// A table's name for SQL: `orders`, or `sales.orders` with its schema; quotes in it are kept.
    package static func quoted(table: String) -> String {
        guard !table.utf8.contains(UInt8(ascii: "\"")) else { return table }
        guard table.utf8.contains(UInt8(ascii: ".")) else { return table.quoted(by: "\"") }
        return table.split(separator: ".", maxSplits: 1).map { "\"\($0)\"" }.joined(separator: ".")
    }

    /// A text as a literal of SQL.
    package static func literal(_ text: String) -> String { text.quoted(by: "'") }

    package func column(_ property: Property, in set: EntitySet, of alias: String) -> SQLFragment {
        if let items = property.items { return self.items(items, of: set, alias: alias) }
        let column = SQLFragment.column(property.names.database, of: alias)
        guard !columns.isEmpty, let known = columns[set.names.database]?[property.names.database] else { return column }
        return switch known.kind {
        case .plain: known.isLoose ? "(\(column) COLLATE \"C\")" : column
        case .padded, .asText: "CAST(\(column) AS text)"
        case .array: "CAST(array_to_json(\(column)) AS text)"
        case .composite: "CAST(to_json(\(column)) AS text)"
        case .number: "(\(column) <> 0)"
        case .cast(let type): "CAST(\(column) AS \(raw: type))"
        }
    }

    package func constant(_ value: Value, _ type: PrimitiveType?) -> SQLFragment {
        guard value != .null, case let stored = computed(value), stored != .null else {
            return SQLFragment(raw: "NULL::\(type.map(Self.computedType) ?? "text")")
        }
        return SQLFragment(bind: stored)
    }

    /// The type of computed values.
    static func computedType(_ type: PrimitiveType) -> String {
        switch type {
        case .boolean: "boolean"
        case .decimal: "numeric"
        case .double, .single: "double precision"
        case .guid: "uuid"
        case .binary: "bytea"
        case .byte, .sbyte, .int16, .int32, .int64, .timeOfDay, .duration: "bigint"
        default: "text"
        }
    }

    private func computed(_ value: Value) -> SQLValue {
        switch value {
        case .boolean(let flag): .typed(flag ? "true" : "false", type: "boolean")
        case .decimal(let number): .typed(number.text, type: "numeric")
        case .guid(let guid): .typed(guid.text, type: "uuid")
        case .double(let number) where number.isNaN: .typed("NaN", type: "double precision")
        default: SQLOperand.computed(value)
        }
    }

    package var notANumber: SQLFragment? { "float8 'NaN'" }

    package func quotedJSON(_ text: SQLFragment) -> SQLFragment { "CAST(to_jsonb(\(text)) AS text)" }

    package func text(_ column: SQLFragment, _ property: Property) -> SQLFragment { "CAST(\(column) AS text)" }

    package func list(
        of item: SQLFragment,
        from source: SQLFragment,
        where condition: SQLFragment,
        order: [SQLFragment]
    ) -> SQLFragment {
        let end: SQLFragment = order.isEmpty ? "" : " ORDER BY \(SQLFragment(order, separator: ", "))"
        let list: SQLFragment = "string_agg(\(item), ','\(end))"
        return "(SELECT '[' || COALESCE(\(list), '') || ']' FROM \(source) WHERE \(condition))"
    }

    package func same(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        "\(left) IS NOT DISTINCT FROM \(right)"
    }

    package func different(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        "\(left) IS DISTINCT FROM \(right)"
    }

    package func binaryText(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE \"C\"" }

    // Text of PostgreSQL is equal when its bytes are, whatever its collation, but for those that are said to be loose.
    package func equalText(_ column: SQLFragment) -> SQLFragment { column }

    package func decimalText(_ text: SQLFragment) -> SQLFragment { "CAST(\(text) AS numeric)" }

    package func truth(_ value: Bool) -> SQLFragment { value ? "TRUE" : "FALSE" }

    package func call(_ function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment {
        switch (function, arguments.first) {
        case (.length, let text?): "CAST(length(\(text)) AS bigint)"
        case (.decimal, let number?), (.real, let number?): "CAST(\(number) AS numeric)"
        case (.double, let number?): real(number)
        case (.guid, let bytes?): "CAST(encode(\(bytes), 'hex') AS uuid)"
        case (.decimalNegate, let number?): "(-\(number))"
        case (.floor, let number?), (.decimalFloor, let number?): "floor(\(number))"
        case (.ceiling, let number?), (.decimalCeiling, let number?): "ceil(\(number))"
        case (.decimalRound, let number?): "round(\(number))"
        default: named(function.rawValue, arguments)
        }
    }

    private func named(_ function: String, _ arguments: [SQLFragment]) -> SQLFragment {
        "tideline.\(raw: function)(\(SQLFragment(arguments, separator: ", ")))"
    }

    package func realArithmetic(
        _ name: Expression.BinaryOperator,
        _ left: SQLFragment,
        _ right: SQLFragment
    ) -> SQLFragment {
        let function =
            switch name {
            case .add: "real_add"
            case .sub: "real_subtract"
            case .mul: "real_multiply"
            case .mod: "remainder"
            default: "real_divide"
            }
        return named(function, [left, right])
    }

    package func remainder(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { named("modulo", [left, right]) }

    package func smallQuotient(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        call(.divide, [left, right])
    }

    package func place(of part: SQLFragment, in text: SQLFragment) -> SQLFragment {
        "strpos(\(binaryText(text)), \(part))"
    }

    package func real(_ integer: SQLFragment) -> SQLFragment { "CAST(\(integer) AS double precision)" }

    package func integer(_ digits: SQLFragment) -> SQLFragment { "CAST(\(digits) AS bigint)" }

    package var now: SQLFragment { "tideline.moment(now())" }

    // An index has nulls last unless told otherwise, so they are only spoken of where there may be some.
    package func orderTerm(_ term: SQLFragment, isDescending: Bool, isNullable: Bool) -> SQLFragment {
        guard isNullable else { return isDescending ? "\(term) DESC" : term }
        return isDescending ? "\(term) DESC NULLS LAST" : "\(term) NULLS FIRST"
    }

    // The planner pulls no condition into, and no table out of, a subquery with an OFFSET.
    package var barrier: SQLFragment { " OFFSET 0" }

    package func limit(_ count: Int?, skip: Int) -> SQLFragment {
        let limit: SQLFragment = count.map { " LIMIT \(bind: .integer(Int64($0)))" } ?? ""
        return skip > 0 ? "\(limit) OFFSET \(bind: .integer(Int64(skip)))" : limit
    }
}
