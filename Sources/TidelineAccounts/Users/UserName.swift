// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The rules for names of users.
package enum UserName {
    /// What two spellings of one name have in common.
    package static func folded(_ name: String) -> String { name.lowercased() }

    /// Whether every character is seen: one that is not makes a name that looks like somebody else's.
    package static func isPrintable(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: true
            }
        }
    }

    /// - Throws: ``AccountsError`` with `invalidName`.
    static func check(_ name: String) throws(AccountsError) {
        guard !name.isEmpty, name.utf8.count <= 200 else {
            throw AccountsError(.invalidName, "A user's name has 1 to 200 bytes.")
        }
        guard isPrintable(name), name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            throw AccountsError(
                .invalidName,
                "A user's name has no control characters and no space at its start or end."
            )
        }
    }
}
