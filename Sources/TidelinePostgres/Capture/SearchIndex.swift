// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// The full-text indexes of a published database: GIN over the words of some columns.
///
///     CREATE INDEX "tideline_search_notes" ON "notes" USING gin (tideline.lexemes(coalesce("title"::text, '') || …))
///
/// PostgreSQL keeps them right. They go with the function that they are over, when the schema `tideline` does.
struct SearchIndex {
    let connection: PostgresConnection

    /// Makes the indexes that a model asks for where they are missing or over other columns, and removes others.
    ///
    /// In a write transaction. What the role does not own stays without an index: its words are looked for row by row.
    ///
    /// - Returns: the tables that have an index, by their names in the model.
    func update(_ model: EntityModel) throws -> Set<String> {
        var indexed: Set<String> = []
        var known: [String: String] = [:]
        for row in try connection.query(Self.indexes) {
            known[Self.name(row.string(0) ?? "", row.string(1) ?? "")] = row.string(2) ?? ""
        }
        for set in model.sets where set.type.searchesWords && !set.type.searchProperties.isEmpty {
            let table = PostgresDialect.quoted(table: set.names.database)
            guard let row = try connection.query(Self.table, [.text(table)]).first(where: { _ in true }),
                let place = row.string(0), let name = row.string(1)
            else { continue }
            let wanted = "\(place) \(PostgresDialect.searchDocument(of: set))"
            let index = Self.name(row.string(2) ?? "public", name)
            indexed.insert(set.names.database)
            let isThere = known.removeValue(forKey: index) == wanted
            guard !isThere else { continue }
            try connection.execute("DROP INDEX IF EXISTS \(index)")
            try connection.execute(
                "CREATE INDEX \(SQLToken.name(name)) ON \(table) USING gin (\(PostgresDialect.searchDocument(of: set)))"
            )
            try connection.execute("COMMENT ON INDEX \(index) IS \(PostgresDialect.literal(wanted))")
        }
        for index in known.keys.sorted() { try connection.execute("DROP INDEX IF EXISTS \(index)") }
        return indexed
    }

    /// Removes all of ours; the indexes of partitions go with that of their table.
    ///
    /// In a write transaction.
    func remove() throws {
        for row in try connection.query(Self.indexes) {
            try connection.execute("DROP INDEX \(Self.name(row.string(0) ?? "", row.string(1) ?? ""))")
        }
    }

    private static func name(_ schema: String, _ index: String) -> String {
        "\(SQLToken.name(schema)).\(SQLToken.name(index))"
    }

    /// The indexes of ours on tables of this role, each with its comment: the table and what it is over.
    private static let indexes = """
        SELECT n.nspname, c.relname, obj_description(c.oid, 'pg_class')
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('i', 'I') AND starts_with(c.relname::text, 'tideline_search_')
            AND pg_has_role(c.relowner, 'USAGE')
        """

    /// A table that can be indexed: its number, and the name and schema of its index.
    ///
    /// The number is in the name too, because a name holds 63 bytes and tables may be called alike up to there.
    private static let table = """
        SELECT c.oid::text, 'tideline_search_' || c.oid, n.nspname
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass($1) AND c.relkind IN ('r', 'p', 'm') AND pg_has_role(c.relowner, 'USAGE')
        """
}
