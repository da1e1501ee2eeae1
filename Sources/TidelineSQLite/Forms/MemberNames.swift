// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The members of an enumeration for a column that holds their names; one object, because readers are copied.
final class MemberNames: Sendable {
    private let type: EnumerationType?

    init(_ type: EnumerationType?) { self.type = type }

    /// The value that a text of the column names, or `nil`.
    ///
    /// A number is no name: the column never holds one.
    func value(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard let type, let text = unsafe String(validating: bytes, as: UTF8.self), Int64(text) == nil else {
            return nil
        }
        return type.value(of: text)
    }

    /// The text of a value for the column, or `nil` for a value that has no name.
    func text(_ value: Int64) -> String? {
        guard let text = type?.text(of: value), Int64(text) == nil else { return nil }
        return text
    }
}
