// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Rows as people read them.
enum RowText {
    /// `(3, 1, w17.2, -)`.
    static func text(_ row: [Value]) -> String {
        "(\(row.map { $0.isNull ? "-" : $0.text ?? "?" }.joined(separator: ", ")))"
    }
}
