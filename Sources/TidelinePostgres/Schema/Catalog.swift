// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Reads the tables and views of one schema from PostgreSQL's catalog.
struct Catalog {
    let connection: PostgresConnection
    let schema: String

    /// The relations in the order of their names; those of extensions and partitions left out.
    ///
    /// `table`: one table alone, by its name.
    func shapes(_ table: String? = nil) throws -> [TableShape] {
        let parameters: [SQLValue] = [.text(schema), table.map(SQLValue.text) ?? .null]
        var shapes: [TableShape] = []
        var places: [String: Int] = [:]
        for row in try connection.query(Self.relations, parameters) {
            guard let name = row.string(0), let kind = row.string(1).flatMap(TableShape.Kind.init) else { continue }
            places[name] = shapes.count
            shapes.append(
                TableShape(
                    name: name,
                    kind: kind,
                    description: row.string(2),
                    owner: row.string(3) ?? "",
                    isOwned: row.boolean(4) ?? false,
                    hasChildren: row.boolean(5) ?? false,
                    isUnlogged: row.boolean(6) ?? false
                )
            )
        }
        for row in try connection.query(Self.columns, parameters) {
            guard let place = row.string(0).flatMap({ places[$0] }) else { continue }
            shapes[place].columns.append(Self.column(row))
        }
        for row in try connection.query(Self.indexes, parameters) {
            guard let place = row.string(0).flatMap({ places[$0] }) else { continue }
            shapes[place].uniqueIndexes.append(
                TableShape.UniqueIndex(columns: try Self.names(row, 1), isPrimaryKey: row.boolean(2) ?? false)
            )
        }
        for row in try connection.query(Self.foreignKeys, parameters) {
            guard let place = row.string(0).flatMap({ places[$0] }) else { continue }
            let rule: NavigationProperty.DeleteRule =
                switch row.string(4) {
                case "c": .cascade
                case "n": .setNull
                case "d": .setDefault
                default: .none
                }
            shapes[place].foreignKeys.append(
                TableDraft.ForeignKey(
                    columns: try Self.names(row, 1),
                    targetTable: row.string(2) ?? "",
                    targetColumns: try Self.names(row, 3),
                    onDelete: rule
                )
            )
        }
        for row in try connection.query(Self.checks, parameters) {
            guard let place = row.string(0).flatMap({ places[$0] }) else { continue }
            shapes[place].checks.append(row.string(1) ?? "")
        }
        for row in try connection.query(Self.triggers, parameters) {
            guard let place = row.string(0).flatMap({ places[$0] }) else { continue }
            let body = (row.string(1) ?? "").lowercased().filter { !$0.isWhitespace && $0 != "\"" }
            for column in shapes[place].columns where body.contains("new.\(column.name.lowercased()):=") {
                shapes[place].triggered.insert(column.name.lowercased())
            }
        }
        for row in try connection.query(Self.partitions, parameters) {
            guard let place = row.string(0).flatMap({ places[$0] }) else { continue }
            shapes[place].partitions.append(row.string(1) ?? "")
        }
        return shapes
    }

    /// The labels of enumerations, in their order, by the identifier of the type, with name and comment.
    func enumerations() throws -> [UInt32: (name: String, labels: [String], description: String?)] {
        let result = try connection.query(
            """
            SELECT t.oid::bigint, t.typname, obj_description(t.oid, 'pg_type'),
                array_to_json(array_agg(e.enumlabel ORDER BY e.enumsortorder))
            FROM pg_catalog.pg_enum AS e JOIN pg_catalog.pg_type AS t ON t.oid = e.enumtypid GROUP BY t.oid, t.typname
            """
        )
        var found: [UInt32: (name: String, labels: [String], description: String?)] = [:]
        for row in result {
            let identifier = UInt32(truncatingIfNeeded: row.integer(0) ?? 0)
            found[identifier] = (row.string(1) ?? "", try Self.names(row, 3), row.string(2))
        }
        return found
    }

    /// The composite types that stand alone, by the identifier of the type; the columns of tables are none.
    func composites() throws -> [UInt32: CompositeTypes.Found] {
        let result = try connection.query(
            """
            SELECT t.oid::bigint, t.typname, obj_description(t.oid, 'pg_type'), a.attname, b.typname, b.typtype,
                b.oid::bigint, a.atttypmod
            FROM pg_catalog.pg_type AS t
            JOIN pg_catalog.pg_class AS c ON c.oid = t.typrelid AND c.relkind = 'c'
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN pg_catalog.pg_type AS b ON b.oid = a.atttypid
            ORDER BY t.oid, a.attnum
            """
        )
        var found: [UInt32: CompositeTypes.Found] = [:]
        for row in result {
            let identifier = UInt32(truncatingIfNeeded: row.integer(0) ?? 0)
            let type = ColumnType(
                name: row.string(4) ?? "",
                kind: row.string(5).flatMap(ColumnType.Kind.init) ?? .pseudo,
                identifier: UInt32(truncatingIfNeeded: row.integer(6) ?? 0),
                modifier: Int32(truncatingIfNeeded: row.integer(7) ?? -1)
            )
            found[identifier, default: .init(name: row.string(1) ?? "", description: row.string(2))].attributes
                .append((row.string(3) ?? "", type))
        }
        return found
    }

    private static func names(_ row: PostgresRow, _ column: Int) throws -> [String] {
        try LoggedValue.texts(row.string(column) ?? "[]")
    }

    private static func column(_ row: PostgresRow) -> TableShape.Column {
        let type = ColumnType(
            name: row.string(2) ?? "",
            kind: row.string(3).flatMap(ColumnType.Kind.init) ?? .pseudo,
            identifier: UInt32(truncatingIfNeeded: row.integer(4) ?? 0),
            modifier: Int32(truncatingIfNeeded: row.integer(5) ?? -1)
        )
        return TableShape.Column(
            name: row.string(1) ?? "",
            type: type,
            declaredType: row.string(6) ?? "",
            isNotNull: row.boolean(7) ?? false,
            defaultText: row.string(8),
            isIdentity: row.boolean(9) ?? false,
            isAlwaysIdentity: row.boolean(12) ?? false,
            isGenerated: row.boolean(10) ?? false,
            description: row.string(11)
        )
    }

    /// What the queries below have in common: the relations of the schema that are looked at.
    private static let source = """
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname = $1
        """
    private static let condition = """
        c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ($2::text IS NULL OR c.relname = $2::text)
        """

    private static let relations = """
        SELECT c.relname, c.relkind, obj_description(c.oid, 'pg_class'), pg_get_userbyid(c.relowner),
            pg_has_role(c.relowner, 'USAGE'),
            c.relkind = 'r' AND EXISTS (SELECT FROM pg_catalog.pg_inherits AS i WHERE i.inhparent = c.oid),
            c.relpersistence = 'u'
        \(source)
        WHERE \(condition) AND NOT c.relispartition AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_depend AS d
            WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
        ORDER BY c.relname COLLATE "C"
        """

    private static let columns = """
        SELECT c.relname, a.attname, coalesce(e.typname, b.typname),
            CASE WHEN e.oid IS NULL THEN b.typtype::text ELSE 'A' END, coalesce(e.oid, b.oid)::bigint, b.modifier,
            format_type(a.atttypid, a.atttypmod), a.attnotnull OR b.isnotnull,
            coalesce(pg_get_expr(f.adbin, f.adrelid), b.typdefault), a.attidentity <> '', a.attgenerated <> '',
            col_description(c.oid, a.attnum), a.attidentity = 'a'
        \(source)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_catalog.pg_attrdef AS f ON f.adrelid = c.oid AND f.adnum = a.attnum
        CROSS JOIN LATERAL (
            WITH RECURSIVE chain AS (
                SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, a.atttypmod AS modifier,
                    t.typnotnull, pg_get_expr(t.typdefaultbin, 0) AS typdefault, t.typtypmod, 0 AS depth
                FROM pg_catalog.pg_type AS t WHERE t.oid = a.atttypid
                UNION ALL
                SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, chain.typtypmod,
                    t.typnotnull, pg_get_expr(t.typdefaultbin, 0), t.typtypmod, chain.depth + 1
                FROM chain JOIN pg_catalog.pg_type AS t ON t.oid = chain.typbasetype WHERE chain.typtype = 'd')
            SELECT oid, typname, typtype, typelem, modifier,
                (SELECT bool_or(typnotnull) FROM chain) AS isnotnull,
                (SELECT typdefault FROM chain WHERE typdefault IS NOT NULL ORDER BY depth LIMIT 1) AS typdefault
            FROM chain ORDER BY depth DESC LIMIT 1) AS b
        LEFT JOIN pg_catalog.pg_type AS e ON e.oid = b.typelem AND e.typarray = b.oid
        WHERE \(condition) ORDER BY c.relname, a.attnum
        """

    private static let indexes = """
        SELECT c.relname, array_to_json(array_agg(a.attname ORDER BY k.place)), i.indisprimary
        \(source)
        JOIN pg_catalog.pg_index AS i ON i.indrelid = c.oid AND i.indisunique AND i.indisvalid
            AND i.indpred IS NULL AND i.indexprs IS NULL
        JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
        CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number
        WHERE \(condition) AND k.place <= i.indnkeyatts
        GROUP BY c.relname, i.indexrelid, i.indisprimary, x.relname ORDER BY c.relname, i.indisprimary DESC, x.relname
        """

    private static let foreignKeys = """
        SELECT c.relname, array_to_json(array_agg(a.attname ORDER BY k.place)), t.relname,
            array_to_json(array_agg(b.attname ORDER BY k.place)), o.confdeltype
        \(source)
        JOIN pg_catalog.pg_constraint AS o ON o.conrelid = c.oid AND o.contype = 'f' AND o.conparentid = 0
        JOIN pg_catalog.pg_class AS t ON t.oid = o.confrelid AND t.relnamespace = n.oid
        CROSS JOIN LATERAL unnest(o.conkey, o.confkey) WITH ORDINALITY AS k(source, target, place)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.source
        JOIN pg_catalog.pg_attribute AS b ON b.attrelid = t.oid AND b.attnum = k.target
        WHERE \(condition) GROUP BY c.relname, o.oid, o.conname, t.relname, o.confdeltype
        ORDER BY c.relname, o.conname
        """

    private static let checks = """
        SELECT c.relname, pg_get_constraintdef(o.oid)
        \(source)
        JOIN pg_catalog.pg_constraint AS o ON o.conrelid = c.oid AND o.contype = 'c' AND o.convalidated
        WHERE \(condition) ORDER BY c.relname, o.conname
        """

    /// The bodies of functions that run before a row is updated.
    private static let triggers = """
        SELECT c.relname, p.prosrc
        \(source)
        JOIN pg_catalog.pg_trigger AS g ON g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgtype & 19 = 19
        JOIN pg_catalog.pg_proc AS p ON p.oid = g.tgfoid
        WHERE \(condition) ORDER BY c.relname, g.tgname
        """

    private static let partitions = """
        SELECT c.relname, format('%I.%I', pn.nspname, pc.relname)
        \(source)
        CROSS JOIN LATERAL pg_partition_tree(c.oid) AS p
        JOIN pg_catalog.pg_class AS pc ON pc.oid = p.relid
        JOIN pg_catalog.pg_namespace AS pn ON pn.oid = pc.relnamespace
        WHERE \(condition) AND c.relkind = 'p' AND p.level > 0 ORDER BY c.relname, pc.oid
        """
}
