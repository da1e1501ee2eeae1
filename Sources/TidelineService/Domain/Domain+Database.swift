// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Domain {
    /// The database that holds the domain's data.
    ///
    ///     database: {kind: sqlite, path: /data/shop.sqlite}
    ///     database: {kind: postgres, url: "postgres://tideline@db.example/shop", schema: public}
    public struct Database: Hashable, Sendable {
        /// The kind of store.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case sqlite, postgres
        }

        public var kind: Kind
        /// Of SQLite the path of the database file; a relative one counts from the folder of `domain.yaml`.
        public var path: String
        /// Of PostgreSQL where it is: `postgres://user@host:port/database`, with libpq's parameters.
        ///
        /// The password is better kept elsewhere: in `PGPASSWORD`, `~/.pgpass` or ``passwordFile``.
        public var url: String
        /// Of PostgreSQL the schema whose tables are published.
        public var schema: String
        /// Of PostgreSQL a file that holds the password; a relative path counts from the folder of `domain.yaml`.
        public var passwordFile: String?
        /// Of PostgreSQL where a physical replica is: reads that speak of no changes go there, and may lag behind.
        public var replica: String?

        /// A SQLite database.
        public init(path: String) {
            kind = .sqlite
            self.path = path
            url = ""
            schema = ""
        }

        /// A PostgreSQL database.
        public init(url: String, schema: String = "public", passwordFile: String? = nil, replica: String? = nil) {
            kind = .postgres
            path = ""
            self.url = url
            self.schema = schema
            self.passwordFile = passwordFile
            self.replica = replica
        }
    }
}
