// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Reads functions and procedures from PostgreSQL's catalog.
struct RoutineCatalog {
    let connection: PostgresConnection

    /// Those of a schema that a program can call: no triggers, no aggregates, none of an extension or a type.
    func routines(schema: String) throws -> [Routine] {
        try read(
            """
            n.nspname = $1 AND p.prokind IN ('f', 'p') AND has_function_privilege(p.oid, 'EXECUTE')
            AND r.typname NOT IN ('trigger', 'event_trigger', 'internal', 'language_handler', 'fdw_handler',
                'index_am_handler', 'table_am_handler', 'tsm_handler')
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype IN ('e', 'i'))
            """,
            [.text(schema)]
        )
    }

    /// The one of a name, or of a name with the types of its inputs; `nil` where there is none, or where the name alone
    /// does not tell which.
    func routine(_ name: String) throws -> Routine? {
        let found = name.contains("(") ? "to_regprocedure($1)::oid" : "to_regproc($1)::oid"
        return try read("p.oid = \(found)", [.text(name)]).first
    }

    private func read(_ condition: String, _ parameters: [SQLValue]) throws -> [Routine] {
        var routines: [Routine] = []
        var places: [Int64: Int] = [:]
        for row in try connection.query(Self.routines(condition), parameters) {
            guard let identifier = row.integer(0) else { continue }
            places[identifier] = routines.count
            routines.append(
                Routine(
                    schema: row.string(1) ?? "",
                    name: row.string(2) ?? "",
                    quotedName: row.string(3) ?? "",
                    isProcedure: row.string(4) == "p",
                    isVolatile: row.string(5) == "v",
                    returnsSet: row.boolean(6) ?? false,
                    returnType: RoutineType(
                        base: ColumnType(name: "void", kind: .pseudo, identifier: 0, modifier: -1),
                        declared: "void"
                    ),
                    defaults: Int(row.integer(7) ?? 0),
                    description: row.string(8)
                )
            )
        }
        for row in try connection.query(Self.types(condition), parameters) {
            guard let place = row.integer(0).flatMap({ places[$0] }) else { continue }
            let type = Self.type(row)
            guard (row.integer(1) ?? 0) > 0 else {
                routines[place].returnType = type
                continue
            }
            routines[place].arguments.append(
                Routine.Argument(
                    name: row.string(2) ?? "",
                    mode: row.string(3).flatMap(Routine.Mode.init) ?? .input,
                    type: type
                )
            )
        }
        return routines
    }

    private static func type(_ row: PostgresRow) -> RoutineType {
        var type = RoutineType(
            base: ColumnType(
                name: row.string(4) ?? "",
                kind: row.string(5).flatMap(ColumnType.Kind.init) ?? .pseudo,
                identifier: UInt32(truncatingIfNeeded: row.integer(6) ?? 0),
                modifier: -1
            ),
            declared: row.string(7) ?? ""
        )
        if let schema = row.string(8), let name = row.string(9) { type.relation = (schema, name) }
        return type
    }

    private static func routines(_ condition: String) -> String {
        """
        SELECT p.oid::bigint, n.nspname, p.proname, quote_ident(p.proname), p.prokind, p.provolatile, p.proretset,
            p.pronargdefaults, obj_description(p.oid, 'pg_proc')
        FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        JOIN pg_catalog.pg_type AS r ON r.oid = p.prorettype
        WHERE \(condition) ORDER BY p.proname COLLATE "C", p.oid
        """
    }

    private static func types(_ condition: String) -> String {
        """
        SELECT p.oid::bigint, a.place, CASE WHEN a.place > 0 THEN p.proargnames[a.place] END,
            CASE WHEN a.place > 0 THEN p.proargmodes[a.place] END,
            coalesce(e.typname, b.typname), CASE WHEN e.oid IS NULL THEN b.typtype::text ELSE 'A' END,
            coalesce(e.oid, b.oid)::bigint, format_type(a.type, NULL), cn.nspname, c.relname
        FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        JOIN pg_catalog.pg_type AS r ON r.oid = p.prorettype
        CROSS JOIN LATERAL (
            SELECT 0 AS place, p.prorettype AS type
            UNION ALL
            SELECT u.place::int, u.type
            FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS u(type, place)) AS a
        CROSS JOIN LATERAL (
            WITH RECURSIVE chain AS (
                SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, t.typrelid FROM pg_catalog.pg_type AS t
                WHERE t.oid = a.type
                UNION ALL
                SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, t.typrelid
                FROM chain JOIN pg_catalog.pg_type AS t ON t.oid = chain.typbasetype WHERE chain.typtype = 'd')
            SELECT oid, typname, typtype, typelem, typrelid FROM chain WHERE typtype <> 'd') AS b
        LEFT JOIN pg_catalog.pg_type AS e ON e.oid = b.typelem AND e.typarray = b.oid
        LEFT JOIN pg_catalog.pg_class AS c ON c.oid = b.typrelid AND c.relkind <> 'c'
        LEFT JOIN pg_catalog.pg_namespace AS cn ON cn.oid = c.relnamespace
        WHERE \(condition) ORDER BY p.oid, a.place
        """
    }
}
