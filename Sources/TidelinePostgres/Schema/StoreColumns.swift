// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What PostgreSQL's catalog says of the tables and columns of a model.
struct StoreColumns: Sendable {
    /// The columns by table and column, each by its name in the model.
    private(set) var columns: [String: [String: PostgresColumn]] = [:]
    /// The tables whose rows can be locked one by one.
    private(set) var lockable: Set<String> = []
    /// The columns of each unique index or constraint, by its name and before that its table's.
    private(set) var unique: [String: [String]] = [:]
    /// The columns of each foreign key, by its name and before that its table's.
    private(set) var references: [String: [String]] = [:]

    /// Looks at the tables of a model; tables that are not there are left out.
    init(model: EntityModel, connection: PostgresConnection) throws {
        var byTable: [String: EntitySet] = [:]
        for set in model.sets { byTable[set.names.database] = set }
        for items in model.sets.flatMap(\.type.properties).compactMap(\.items) where byTable[items.name] == nil {
            let type = EntityType(names: Names(wire: items.name), properties: items.values, key: [])
            byTable[items.name] = EntitySet(names: Names(wire: items.name), type: type)
        }
        let names = byTable.keys.sorted()
        let list = SQLValue.text(ArrayText.text(names.map(PostgresDialect.quoted(table:))))
        for row in try connection.query(Self.columnQuery, [list]) {
            guard let place = row.integer(0), let column = row.string(1) else { continue }
            let table = names[Int(place) - 1]
            if row.boolean(6) == true { lockable.insert(table) }
            guard let set = byTable[table],
                let property = set.type.properties.first(where: { $0.names.database == column })
            else { continue }
            let found = Found(
                base: row.string(2) ?? "",
                isArray: row.boolean(3) ?? false,
                type: row.string(4) ?? "text",
                isLoose: row.boolean(5) ?? false,
                isComposite: row.boolean(7) ?? false
            )
            columns[table, default: [:]][column] = Self.column(found, property)
        }
        for row in try connection.query(Self.uniqueQuery, [list]) {
            guard let place = row.integer(0), let index = row.string(1), let column = row.string(2) else { continue }
            unique["\(names[Int(place) - 1]) \(index)", default: []].append(column)
        }
        for row in try connection.query(Self.referenceQuery, [list]) {
            guard let place = row.integer(0), let key = row.string(1), let column = row.string(2) else { continue }
            references["\(names[Int(place) - 1]) \(key)", default: []].append(column)
        }
    }

    /// A column as the catalog has it, looked at through domains.
    private struct Found {
        /// The base type's name in `pg_type`; for an array that of its elements as SQL writes it.
        var base: String
        var isArray: Bool
        var type: String
        var isLoose: Bool
        var isComposite: Bool
    }

    private static func column(_ found: Found, _ property: Property) -> PostgresColumn {
        PostgresColumn(kind: kind(found, property), type: found.type, isLoose: found.isLoose)
    }

    private static func kind(_ found: Found, _ property: Property) -> PostgresColumn.Kind {
        guard !found.isArray else { return .array(element: found.base) }
        guard !found.isComposite else { return .composite }
        if property.storage == .memberName {
            return found.base == "text" || found.base == "varchar" ? .plain : .asText
        }
        guard property.storage == .native else {
            let isWhole = [.decimalScaled, .unixSeconds, .unixMilliseconds].contains(property.storage)
            if isWhole, found.base == "numeric" { return .cast(to: "bigint") }
            return found.base == "bpchar" ? .padded : .plain
        }
        if property.type == .boolean, ["int2", "int4", "int8", "numeric"].contains(found.base) { return .number }
        let (own, type): (Set<String>, String) =
            switch property.type {
            case .boolean: (["bool"], "boolean")
            case .byte, .sbyte, .int16, .int32, .int64: (["int2", "int4", "int8"], "bigint")
            case .decimal: (["numeric"], "numeric")
            case .double, .single: (["float4", "float8"], "double precision")
            case .guid: (["uuid"], "uuid")
            case .binary: (["bytea"], "bytea")
            case .date: (["date"], "date")
            case .dateTimeOffset: (["timestamptz", "timestamp"], "timestamptz")
            case .timeOfDay: (["time"], "time")
            case .duration: (["interval"], "interval")
            default: (["text", "varchar"], "")
            }
        if own.contains(found.base) { return .plain }
        if type.isEmpty { return found.base == "bpchar" ? .padded : .asText }
        return .cast(to: type)
    }

    private static let columnQuery = """
        SELECT w.place, a.attname, coalesce(format_type(e.oid, NULL), b.typname), e.oid IS NOT NULL,
            format_type(a.atttypid, a.atttypmod), NOT coalesce(l.collisdeterministic, true),
            c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'UPDATE'), b.typtype = 'c'
        FROM unnest($1::text[]) WITH ORDINALITY AS w(name, place)
        JOIN pg_catalog.pg_class AS c ON c.oid = to_regclass(w.name)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = a.attcollation
        CROSS JOIN LATERAL (
            WITH RECURSIVE chain AS (
                SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem FROM pg_catalog.pg_type AS t
                WHERE t.oid = a.atttypid
                UNION ALL
                SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem
                FROM chain JOIN pg_catalog.pg_type AS t ON t.oid = chain.typbasetype WHERE chain.typtype = 'd')
            SELECT oid, typname, typtype, typelem FROM chain WHERE typtype <> 'd') AS b
        LEFT JOIN pg_catalog.pg_type AS e ON e.oid = b.typelem AND e.typarray = b.oid
        """

    private static let uniqueQuery = """
        SELECT w.place, x.relname, a.attname
        FROM unnest($1::text[]) WITH ORDINALITY AS w(name, place)
        JOIN pg_catalog.pg_index AS i ON i.indrelid = to_regclass(w.name) AND i.indisunique
        JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE k.place <= i.indnkeyatts ORDER BY w.place, x.relname, k.place
        """

    private static let referenceQuery = """
        SELECT w.place, o.conname, a.attname
        FROM unnest($1::text[]) WITH ORDINALITY AS w(name, place)
        JOIN pg_catalog.pg_constraint AS o ON o.conrelid = to_regclass(w.name) AND o.contype = 'f'
        CROSS JOIN LATERAL unnest(o.conkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.conrelid AND a.attnum = k.number
        ORDER BY w.place, o.conname, k.place
        """
}
