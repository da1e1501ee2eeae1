// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Names and texts as SQL tokens.
package enum SQLToken {
    /// A name in double quotes.
    package static func name(_ name: String) -> String { name.quoted(by: "\"") }

    /// A text literal.
    package static func text(_ text: String) -> String { text.quoted(by: "'") }
}
