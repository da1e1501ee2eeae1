// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Entries of the server's conflict log as people and programs read them.
enum ConflictText {
    static func time(_ seconds: Int64) -> Output.Cell { .text(DateTimeOffset(seconds: seconds).text) }

    static func text(_ text: String?) -> Output.Cell { text.map(Output.Cell.text) ?? .null }

    /// The values, a JSON object; null stands for a deletion.
    static func values(_ json: String?) -> Output.Cell { json.map(Output.Cell.raw) ?? .null }

    static func state(_ conflict: LoggedConflict) -> String {
        if conflict.restoredAt != nil { return "restored" }
        return conflict.isOpen ? "open" : "kept"
    }
}
