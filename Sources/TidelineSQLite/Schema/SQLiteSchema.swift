// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineModel
import TidelineStorage

/// Makes the tables of a model.
public enum SQLiteSchema {
    /// Creates a file, or opens it, and creates the tables that are missing, in one transaction.
    ///
    /// - Throws: ``StorageError``; `schemaChanged` when a table exists without one of its columns.
    public static func create(_ model: EntityModel, path: String) throws {
        throw StorageError(.unsupported, message: "Not here yet.")
    }
}
