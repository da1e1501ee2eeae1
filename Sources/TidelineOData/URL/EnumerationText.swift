// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The text of an enumeration value: names or numbers of members with commas between them.
///
/// Source: OData ABNF construction rules 4.01, section 7, `enumValue`.
public enum EnumerationText {
    /// The members as they are written; `nil` for text of another form.
    public static func members(_ text: String) -> [Substring]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        for part in parts {
            var scanner = TextScanner(String(part), code: .invalidValue)
            if scanner.word() != nil, scanner.isAtEnd { continue }
            guard Value(text: String(part), as: .int64) != nil else { return nil }
        }
        return parts
    }

    static func isWellFormed(_ text: String) -> Bool { members(text) != nil }
}
