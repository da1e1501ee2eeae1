// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres

extension PostgresConnection {
    /// A column of a statement's result.
    struct Column: Hashable, Sendable {
        var name: String
        /// Whether it is an array of PostgreSQL.
        var isArray: Bool
        /// Whether it is the nothing that a function without a result gives.
        var isVoid: Bool
    }

    /// Prepares a statement and tells its result columns; none for a statement that gives no rows.
    func describe(_ sql: String) throws -> [Column] {
        let name = try prepared(sql)
        let columns = try described(name)
        guard !columns.isEmpty else { return [] }
        let list = columns.map { "\($0.type)" }.joined(separator: ",")
        var arrays: Set<UInt32> = []
        for row in try query("SELECT oid::bigint FROM pg_catalog.pg_type WHERE oid IN (\(list)) AND typcategory = 'A'")
        {
            arrays.insert(UInt32(truncatingIfNeeded: row.integer(0) ?? 0))
        }
        return columns.map { Column(name: $0.name, isArray: arrays.contains($0.type), isVoid: $0.type == Self.void) }
    }

    /// Source: PostgreSQL 15, `pg_type.dat`.
    private static let void: UInt32 = 2278

    private func described(_ name: String) throws -> [(name: String, type: UInt32)] {
        guard let pointer = unsafe PQdescribePrepared(handle, name) else { throw lost() }
        defer { unsafe PQclear(pointer) }
        guard unsafe PQresultStatus(pointer) == PGRES_COMMAND_OK else {
            throw unsafe PostgresFailure(result: pointer, connection: handle)
        }
        return (0..<(unsafe PQnfields(pointer))).map { column in
            let name = unsafe PQfname(pointer, column).map { unsafe String(cString: $0) } ?? ""
            return (name, unsafe PQftype(pointer, column))
        }
    }
}
