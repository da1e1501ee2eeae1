// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The triggers on tables whose rows are parts of the table's rows: each change is logged as one of the row itself.
///
/// The row is locked first, as a change of it would, so that the entries of one key are numbered in the order of their
/// commits. A row that is gone already, as when its parts are deleted with it, is logged by its own trigger.
extension CaptureTriggers {
    func itemStatements(_ items: CapturedItems, _ shape: TableShape, number: Int) -> [String] {
        let name = SQLToken.name("\(Self.prefix)items_\(table.identifier)_\(number)")
        let emptied = SQLToken.name("\(Self.prefix)items_\(table.identifier)_\(number)_truncate")
        let function = "tideline.items_\(table.identifier)_\(number)"
        let target = SQLToken.name(table.schema) + "." + SQLToken.name(shape.name)
        let isMoved = items.key.map(Self.differs).joined(separator: " OR ")
        let body = """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $tideline$
            BEGIN
              IF TG_OP <> 'INSERT' THEN
                \(entries(items.key, "OLD"))
              END IF;
              IF TG_OP = 'INSERT' THEN
                \(entries(items.key, "NEW"))
              ELSIF TG_OP = 'UPDATE' THEN
                IF \(isMoved) THEN
                  \(entries(items.key, "NEW"))
                END IF;
              END IF;
              RETURN NULL;
            END $tideline$
            """
        var statements = [
            body,
            "CREATE TRIGGER \(name) AFTER INSERT OR UPDATE OR DELETE ON \(target) FOR EACH ROW EXECUTE FUNCTION \(function)()",
            "ALTER TABLE \(target) ENABLE ALWAYS TRIGGER \(name)",
        ]
        for part in [target] + shape.partitions {
            statements.append(
                "CREATE TRIGGER \(emptied) AFTER TRUNCATE ON \(part) "
                    + "FOR EACH STATEMENT EXECUTE FUNCTION tideline.truncated()"
            )
            statements.append("ALTER TABLE \(part) ENABLE ALWAYS TRIGGER \(emptied)")
        }
        return statements
    }

    private func entries(_ columns: [String], _ row: String) -> String {
        let matches = zip(table.key, columns).map { "p.\(SQLToken.name($0)) = \(row).\(SQLToken.name($1))" }
        let source = "FROM \(target) AS p WHERE \(matches.joined(separator: " AND "))"
        var statements = [
            "PERFORM 1 \(source) FOR NO KEY UPDATE;",
            """
            INSERT INTO tideline.log(set_id,key,operation,before)
                SELECT \(table.identifier),\(key(of: "p")),'U',\(image(of: "p")) \(source);
            """,
        ]
        for scope in table.scopes {
            statements.append(
                """
                INSERT INTO tideline.scope(set_id,property,value,key)
                    SELECT \(table.identifier),\(SQLToken.text(scope)),\(Self.hash(logged(scope, of: "p", limit: nil))),
                    \(key(of: "p")) \(source) AND p.\(SQLToken.name(scope)) IS NOT NULL;
                """
            )
        }
        return statements.joined(separator: "\n")
    }
}
