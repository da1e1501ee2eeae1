// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is told of a text that is no value of its column's type.
package enum ExceptionText {
    /// Texts of more bytes are not told.
    package static let limit = 1024

    /// - Returns: `nil` for what is too long, or not UTF-8.
    package static func text(_ utf8: UnsafeRawBufferPointer) -> String? {
        guard utf8.count <= limit else { return nil }
        return unsafe String(validating: utf8, as: UTF8.self)
    }
}
