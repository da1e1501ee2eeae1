// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineService

/// The columns that hold the hashes of passwords, as far as the SQL of sign-in says: no client may read them.
///
///     SELECT …, hash AS PasswordHash FROM staff     UPDATE staff SET hash = :hash WHERE …
struct PasswordColumns {
    private let statements: [String]

    init(_ directories: [SignInDirectory]) {
        statements = directories.flatMap { [$0.find, $0.byId, $0.setHash] }.flatMap { body -> [String] in
            guard case .sql(let sqlite, let postgres) = body else { return [] }
            return [sqlite, postgres].compactMap(\.self)
        }
    }

    /// The first of them that a model has, as `table.column`: of a table that the same statement names.
    func readable(in model: EntityModel) -> String? {
        for statement in statements {
            let names = statement.matches(of: /(\w+)"?\s+(?i:as)\s+"?(?i:PasswordHash)\b|(\w+)"?\s*=\s*:hash\b/)
                .compactMap { ($0.1 ?? $0.2)?.lowercased() }
            let words = Set(statement.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0.lowercased() })
            for set in model.sets where words.contains(set.names.database.lowercased()) {
                let column = set.type.properties.lazy.map(\.names.database).first { names.contains($0.lowercased()) }
                if let column { return "\(set.names.database).\(column)" }
            }
        }
        return nil
    }
}
