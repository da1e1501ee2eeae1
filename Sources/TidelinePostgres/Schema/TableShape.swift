// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A table or view as PostgreSQL knows it: columns, keys, unique indexes, foreign keys.
struct TableShape {
    struct Column {
        var name: String
        var type: ColumnType
        /// The type as PostgreSQL prints it: `character varying(20)`, or the name of a domain.
        var declaredType: String
        var isNotNull: Bool
        /// The text of the default, or `nil`.
        var defaultText: String?
        var isIdentity: Bool
        /// Whether PostgreSQL takes no value for it: `GENERATED ALWAYS AS IDENTITY`.
        var isAlwaysIdentity: Bool
        var isGenerated: Bool
        var description: String?
    }

    struct UniqueIndex {
        var columns: [String]
        var isPrimaryKey: Bool
    }

    /// What kind of relation it is: `pg_class.relkind`.
    enum Kind: String {
        case table = "r"
        case partitioned = "p"
        case view = "v"
        case materializedView = "m"
        case foreignTable = "f"
    }

    var name: String
    var kind: Kind
    var description: String?
    /// Who owns it, and whether the connection's user may act as that role.
    var owner: String
    var isOwned: Bool
    /// Whether other tables inherit from it, which are no partitions.
    var hasChildren: Bool
    /// Whether a crash may empty it.
    var isUnlogged: Bool
    var columns: [Column] = []
    /// Unique indexes over plain columns, without condition.
    var uniqueIndexes: [UniqueIndex] = []
    var foreignKeys: [TableDraft.ForeignKey] = []
    /// The CHECK constraints, as PostgreSQL prints them.
    var checks: [String] = []
    /// The columns that a trigger sets when a row is updated, in lower case.
    var triggered: Set<String> = []
    /// The partitions on all levels, as SQL names them.
    var partitions: [String] = []

    var isView: Bool { kind == .view || kind == .materializedView }

    /// The columns of the primary key in its order.
    var primaryKey: [String] { uniqueIndexes.first(where: \.isPrimaryKey)?.columns ?? [] }
}
