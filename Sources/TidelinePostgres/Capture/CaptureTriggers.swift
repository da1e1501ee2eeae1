// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The trigger function of one table, and the triggers that call it.
///
///     AFTER INSERT             logs the new key: only now a generated one is known      'I', no before-image
///     BEFORE UPDATE, DELETE    logs the old row, which is locked by now                 'U', 'D'
///     AFTER UPDATE             where key or scope changed: the new key, the new scope   'I'
///     AFTER TRUNCATE           begins a new epoch
///
/// The row's lock is held from the entry's number to the end of the transaction, so the entries of one key are
/// numbered in the order of their commits. Of transactions at large that is not so: readers of the log go by snapshots.
/// The names begin with `!`, so that these triggers fire before any other of their kind: the first entry of a row has
/// the row as it was before all. They fire ALWAYS, for replicated rows too, and with the rights of who published, so
/// other roles need none. Source: PostgreSQL, "Overview of Trigger Behavior".
struct CaptureTriggers {
    /// Values longer than this many bytes are not kept in before-images.
    static let longestValue = 256
    static let prefix = "!tideline_"

    let table: CapturedTable
    let shape: TableShape

    var target: String { SQLToken.name(table.schema) + "." + SQLToken.name(table.name) }
    private var function: String { "tideline.capture_\(table.identifier)" }

    /// The statements that make function and triggers, in place of those that are there.
    var statements: [String] {
        let changes = (table.key + table.scopes).map(Self.differs).joined(separator: " OR ")
        let calls = [
            ("insert", "AFTER INSERT ON \(target) FOR EACH ROW"),
            ("before", "BEFORE UPDATE OR DELETE ON \(target) FOR EACH ROW"),
            ("after", "AFTER UPDATE ON \(target) FOR EACH ROW WHEN (\(changes))"),
        ]
        var statements = drops + [functionText, scopeFunction]
        for (kind, event) in calls {
            statements.append("CREATE TRIGGER \(name(kind)) \(event) EXECUTE FUNCTION \(function)()")
            statements.append("ALTER TABLE \(target) ENABLE ALWAYS TRIGGER \(name(kind))")
        }
        // A trigger for statements is not passed on to partitions, which can be truncated by themselves.
        for part in [target] + shape.partitions {
            statements.append(
                "CREATE TRIGGER \(name("truncate")) AFTER TRUNCATE ON \(part) "
                    + "FOR EACH STATEMENT EXECUTE FUNCTION tideline.truncated()"
            )
            statements.append("ALTER TABLE \(part) ENABLE ALWAYS TRIGGER \(name("truncate"))")
        }
        return statements
    }

    /// The statements that remove the triggers; their function then holds nothing.
    var drops: [String] {
        ["insert", "before", "after"].map { "DROP TRIGGER IF EXISTS \(name($0)) ON \(target)" }
            + ([target] + shape.partitions).map { "DROP TRIGGER IF EXISTS \(name("truncate")) ON \($0)" }
    }

    /// Whether a column gets another value: by the bytes of its text, since some types and some collations take different
    /// texts for equal.
    static func differs(_ column: String) -> String {
        let column = SQLToken.name(column)
        return "OLD.\(column)::text COLLATE \"C\" IS DISTINCT FROM NEW.\(column)::text COLLATE \"C\""
    }

    private func name(_ kind: String) -> String { SQLToken.name(Self.prefix + kind) }

    private func type(_ column: String) -> ColumnType? { shape.columns.first { $0.name == column }?.type }

    func logged(_ column: String, of row: String, limit: Int?) -> String {
        let value = "\(row).\(SQLToken.name(column))"
        return type(column)?.logged(value, limit: limit) ?? "NULL::jsonb"
    }

    /// The key of a row as text: a JSON array.
    func key(of row: String) -> String {
        "jsonb_build_array(\(table.key.map { logged($0, of: row, limit: nil) }.joined(separator: ",")))::text"
    }

    /// The before-image of a row; in pieces, since a function takes a hundred arguments.
    func image(of row: String) -> String {
        let values = table.columns.map { name in
            name.isEmpty ? "'{}'::jsonb" : logged(name, of: row, limit: Self.longestValue)
        }
        let pieces = stride(from: 0, to: values.count, by: 90).map { start in
            "jsonb_build_array(\(values[start..<min(start + 90, values.count)].joined(separator: ",")))"
        }
        return pieces.joined(separator: "||")
    }

    private func entry(_ operation: String, _ row: String) -> String {
        let before = operation == "I" ? "NULL" : image(of: row)
        return """
            INSERT INTO tideline.log(set_id,key,operation,before)
                VALUES(\(table.identifier),\(key(of: row)),'\(operation)',\(before));
            """
    }

    /// The rows that find an entry by the value of a scope; where it is null there is none.
    private func scopeRows(_ row: String, under condition: (String) -> String? = { _ in nil }) -> String {
        table.scopes.map { scope in
            let column = "\(row).\(SQLToken.name(scope))"
            let conditions = ["\(column) IS NOT NULL", condition(scope)].compactMap { $0 }
            return """
                INSERT INTO tideline.scope(set_id,property,value,key)
                    SELECT \(table.identifier),\(SQLToken.text(scope)),\(Self.hash(logged(scope, of: row, limit: nil))),
                    \(key(of: row)) WHERE \(conditions.joined(separator: " AND "));
                """
        }.joined(separator: "\n")
    }

    /// Finds the number by which a value, given as text, is looked up in a scope.
    private var scopeFunction: String {
        let cases = table.scopes.compactMap { scope in
            type(scope)?.lookedUp("value").map { "WHEN \(SQLToken.text(scope)) THEN \(Self.hash($0))" }
        }
        return """
            CREATE OR REPLACE FUNCTION tideline.scope_\(table.identifier)(property text, value text) RETURNS bigint
            LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $tideline$
              SELECT CASE property \(cases.joined(separator: " ")) WHEN '' THEN 0 END
            $tideline$
            """
    }

    /// The number by which a value is looked up; two values may share one.
    static func hash(_ logged: String) -> String { "hashtextextended((\(logged))::text,0)" }

    private var functionText: String {
        let keyChanged = table.key.map(Self.differs).joined(separator: " OR ")
        return """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $tideline$
            BEGIN
              IF TG_OP = 'INSERT' THEN
                \(entry("I", "NEW"))
                \(scopeRows("NEW"))
                RETURN NULL;
              ELSIF TG_WHEN = 'AFTER' THEN
                IF \(keyChanged) THEN
                  \(entry("I", "NEW"))
                  \(scopeRows("NEW"))
                ELSE
                  \(scopeRows("NEW", under: Self.differs))
                END IF;
                RETURN NULL;
              ELSIF TG_OP = 'UPDATE' THEN
                \(entry("U", "OLD"))
                \(scopeRows("OLD"))
                RETURN NEW;
              ELSE
                \(entry("D", "OLD"))
                \(scopeRows("OLD"))
                RETURN OLD;
              END IF;
            END $tideline$
            """
    }
}
