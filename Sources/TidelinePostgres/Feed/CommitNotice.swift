// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The triggers by which the database tells at a commit that something was changed: once a transaction, and not what.
///
/// Our own sessions tell nothing (`tideline.tells`): who serves knows of its commits, and a notification would make
/// commits wait for each other. Nor does a session of a server that allows prepared transactions: PostgreSQL prepares none
/// that has notified, and others' programs go first. `tideline.tells`, set for a database, decides otherwise. No part of capture: what is lost here is a hint, which the next look makes up for, so
/// the names are none that capture looks at.
/// Source: PostgreSQL, "NOTIFY": of equal notifications of a transaction one is delivered; "PREPARE TRANSACTION".
struct CommitNotice {
    static let channel = "tideline"
    static let trigger = "tideline_notice"

    let connection: PostgresConnection

    /// Makes function and triggers where they are missing.
    ///
    /// In a write transaction. A role that may not is no reason to fail.
    func createTriggers(on tables: [CapturedTable]) throws {
        let missing = try missing(tables)
        guard !missing.isEmpty else { return }
        try connection.execute("SAVEPOINT tideline_notice")
        do {
            try connection.execute(Self.function)
            for table in missing {
                try connection.execute(
                    """
                    CREATE TRIGGER \(Self.trigger) AFTER INSERT OR UPDATE OR DELETE ON \(table)
                    FOR EACH STATEMENT EXECUTE FUNCTION tideline.tell();
                    ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(Self.trigger)
                    """
                )
            }
        } catch let failure as PostgresFailure where failure.sqlState == "42501" {
            try connection.execute("ROLLBACK TO tideline_notice")
        }
        try connection.execute("RELEASE tideline_notice")
    }

    private static let function = """
        CREATE OR REPLACE FUNCTION tideline.tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp AS $tideline$
        BEGIN
          IF COALESCE(
            NULLIF(current_setting('tideline.tells', true), ''),
            CASE WHEN current_setting('max_prepared_transactions')::int = 0 THEN 'on' ELSE 'off' END
          ) = 'on' THEN
            PERFORM pg_notify('\(channel)', '');
          END IF;
          RETURN NULL;
        END $tideline$
        """

    /// The tables, those of items too, that have no trigger yet.
    private func missing(_ tables: [CapturedTable]) throws -> [String] {
        var names: [String] = []
        for table in tables {
            for name in [table.name] + table.items.map(\.name) {
                let name = SQLToken.name(table.schema) + "." + SQLToken.name(name)
                if !names.contains(name) { names.append(name) }
            }
        }
        return try names.filter { name in
            try connection.query(
                """
                SELECT EXISTS (SELECT FROM pg_catalog.pg_trigger
                    WHERE tgrelid = to_regclass($1) AND tgname = '\(Self.trigger)') OR to_regclass($1) IS NULL
                """,
                [.text(name)]
            )[0].boolean(0) == false
        }
    }
}
