// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension DomainText {
    /// The directories of users in the domain's own tables.
    static func signInLines(_ directories: [SignInDirectory]) -> String {
        guard !directories.isEmpty else { return "" }
        var text = "# Users lie in the tables of the domain; SQL finds them. Hashes are not in the model.\nsignIn:\n"
        for directory in directories {
            text += "  - name: \(quote(directory.name))\n"
            text += "    roles: [\(directory.roles.map { quote($0) }.joined(separator: ", "))]\n"
            text += "    id: \(directory.idType.rawValue.dropFirst(4))\n"
            let attributes = directory.attributes.map {
                "{name: \(quote($0.name)), type: \($0.type.rawValue.dropFirst(4))}"
            }
            if !attributes.isEmpty { text += "    attributes: [\(attributes.joined(separator: ", "))]\n" }
            text += statement("find", directory.find)
            text += statement("byId", directory.byId)
            text += statement("setHash", directory.setHash)
        }
        return text
    }

    private static func statement(_ key: String, _ body: OperationBody) -> String {
        guard case .sql(let sqlite, let postgres) = body else { return "" }
        if let sqlite, sqlite == postgres { return "    \(key): \(quote(sqlite))\n" }
        let languages = [("sqlite", sqlite), ("postgres", postgres)].compactMap { name, sql in
            sql.map { "      \(name): \(quote($0))\n" }
        }
        return "    \(key):\n\(languages.joined())"
    }
}
