// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The keys of operations in a domain's file.
enum OperationKeys {
    static let operation: Set = [
        "name", "code", "kind", "bind", "parameters", "returns", "out", "rowsAffected", "composable", "import",
        "inServiceDocument", "sql", "function", "procedure", "handler", "description",
    ]
    static let binding: Set = ["set", "as", "of", "collection"]
    /// Of a value: what a parameter and a result have in common.
    static let value: Set = [
        "type", "nullable", "maxLength", "precision", "scale", "storage", "enum", "complex", "collection", "nullItems",
        "srid", "description",
    ]
    static let parameter = value.union(["name", "code", "argument", "default", "optional"])
    static let entity: Set = ["set", "of", "collection", "nullable"]
    static let bodies = ["sql", "function", "procedure", "handler"]
}
