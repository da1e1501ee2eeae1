// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The name of a bookmark: what stands on its button.
public enum BookmarkName {
    /// The most characters of a name.
    public static let mostCharacters = 128

    /// The name without blanks at its ends.
    ///
    /// - Throws: ``BookmarkError``: `emptyName`, `tooLong`.
    public static func checked(_ text: String) throws(BookmarkError) -> String {
        let text = text.trimmed
        guard !text.isEmpty else { throw .emptyName }
        guard text.unicodeScalars.count <= mostCharacters else { throw .tooLong("name", most: mostCharacters) }
        return text
    }
}
