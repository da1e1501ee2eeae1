// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A user of a directory, with the password.
struct DirectoryEntry {
    var user: User
    /// `nil` where the column holds no hash that is understood: then nobody can sign in.
    var hash: PasswordHash?

    /// - Parameter row: `Id`, `Name`, `PasswordHash`, `IsActive`, and the attributes.
    init(_ row: [Value], of directory: UserDirectory) {
        var attributes: [String: [Value]] = [:]
        for (name, value) in zip(directory.attributes, row.dropFirst(4)) where !value.isNull {
            attributes[name] = [value]
        }
        user = User(
            domain: directory.domain,
            name: row[1].text ?? "",
            id: row[0],
            roles: directory.roles,
            attributes: attributes,
            // Null is no.
            isDisabled: row[3] != .boolean(true),
            directory: directory.name
        )
        if case .string(let text) = row[2] { hash = PasswordHash(text: text) }
    }
}
